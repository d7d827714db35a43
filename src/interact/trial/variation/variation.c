// Preloaded into a program to show whether its behaviour depends on the time or on what was on its stack:
// HEDDLE_VARIATION=n shifts all clocks but those of processor time, and fills the stack below main().
//
// Functions that wait until a time get it shifted back. A program that is linked statically is not varied.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

// 396 days, 1 hour, 11 minutes and 57.618 seconds: another year, month, day, hour, minute and second.
enum { kSeconds = 396 * 86400 + 3600 + 11 * 60 + 57, kNanoseconds = 618033988, kBillion = 1000000000 };
enum { kStack = 1 << 16 };

static long variation;

static void read_variation(void) {
  static const char kName[] = "HEDDLE_VARIATION=";
  for (char** variable = environ; variable != NULL && *variable != NULL; ++variable) {
    size_t i = 0;
    while (kName[i] != '\0' && (*variable)[i] == kName[i]) ++i;
    if (kName[i] != '\0') continue;
    long number = 0;
    for (const char* at = *variable + i; *at >= '0' && *at <= '9'; ++at) number = number * 10 + (*at - '0');
    variation = number % 64;
    return;
  }
}

__attribute__((constructor)) static void begin(void) {
  read_variation();
}

static void shift(struct timespec* time, long times) {
  const long long nanoseconds = time->tv_nsec + (long long)times * kNanoseconds;
  long long carry = nanoseconds / kBillion;
  long long rest = nanoseconds % kBillion;
  if (rest < 0) {
    rest += kBillion;
    --carry;
  }
  time->tv_sec += (time_t)times * kSeconds + carry;
  time->tv_nsec = rest;
}

static int is_shifted(clockid_t clock) {
  return clock >= 0 && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  const long result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && is_shifted(clock)) shift(time, variation);
  return (int)result;
}

int gettimeofday(struct timeval* restrict time, void* restrict zone) {
  (void)zone;
  struct timeval* volatile wanted = time;  // it may be null, whatever the header says
  struct timespec now;
  if (wanted == NULL) return 0;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* result) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}

int timespec_get(struct timespec* time, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}

// A time that the program has computed from a shifted one, as the system means it.
static struct timespec unshifted(const struct timespec* time) {
  struct timespec result = *time;
  shift(&result, -variation);
  if (result.tv_sec < 0) result.tv_sec = result.tv_nsec = 0;
  return result;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time, struct timespec* left) {
  int (*const next)(clockid_t, int, const struct timespec*, struct timespec*) =
      dlsym(RTLD_NEXT, "clock_nanosleep");
  struct timespec until = *time;
  if ((flags & TIMER_ABSTIME) != 0 && is_shifted(clock)) until = unshifted(time);
  return next(clock, flags, &until, left);
}

int pthread_cond_timedwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                           const struct timespec* restrict time) {
  int (*const next)(pthread_cond_t*, pthread_mutex_t*, const struct timespec*) =
      dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  const struct timespec until = unshifted(time);
  return next(condition, mutex, &until);
}

int pthread_cond_clockwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                           clockid_t clock, const struct timespec* restrict time) {
  int (*const next)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*) =
      dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  const struct timespec until = unshifted(time);
  return next(condition, mutex, clock, &until);
}

int pthread_mutex_timedlock(pthread_mutex_t* restrict mutex, const struct timespec* restrict time) {
  int (*const next)(pthread_mutex_t*, const struct timespec*) = dlsym(RTLD_NEXT, "pthread_mutex_timedlock");
  const struct timespec until = unshifted(time);
  return next(mutex, &until);
}

int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict time) {
  int (*const next)(sem_t*, const struct timespec*) = dlsym(RTLD_NEXT, "sem_timedwait");
  const struct timespec until = unshifted(time);
  return next(semaphore, &until);
}

static int (*real_main)(int, char**, char**);

__attribute__((noinline)) static void fill_stack(void) {
  volatile unsigned char below[kStack];
  for (size_t i = 0; i < sizeof(below); ++i) below[i] = (unsigned char)(0x35 + 29 * variation);
}

static int main_on_filled_stack(int count, char** arguments, char** variables) {
  if (variation != 0) fill_stack();
  return real_main(count, arguments, variables);
}

int __libc_start_main(int (*main)(int, char**, char**), int count, char** arguments, void (*init)(void),
                      void (*fini)(void), void (*end_of_linker)(void), void* end_of_stack) {
  int (*const next)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void),
                    void*) = dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return next(main_on_filled_stack, count, arguments, init, fini, end_of_linker, end_of_stack);
}
