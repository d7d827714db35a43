// expect: ok
// Pages that come into being when they are first touched: the handler of the fault takes a lock, so another
// thread may run, and fault itself, before it returns.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>

enum { kPage = 4096, kPages = 4 };

static char* pages;
static int made;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void make_page(int number, siginfo_t* info, void* context) {
  (void)context;
  char* address = info->si_addr;
  assert(number == SIGSEGV && address >= pages && address < pages + kPages * kPage);
  char* page = address - (address - pages) % kPage;
  pthread_mutex_lock(&mutex);
  assert(mprotect(page, kPage, PROT_READ | PROT_WRITE) == 0);
  ++made;
  pthread_mutex_unlock(&mutex);
}

static void* touch(void* first) {
  for (char* page = first; page < pages + kPages * kPage; page += 2 * kPage) *(volatile char*)page = 1;
  return NULL;
}

int main(void) {
  pages = mmap(NULL, kPages * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction action = {.sa_sigaction = make_page, .sa_flags = SA_SIGINFO};
  assert(sigaction(SIGSEGV, &action, NULL) == 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, touch, pages + i * kPage);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(made == kPages);
}
