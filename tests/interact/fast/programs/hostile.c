// Does what its first argument names: things that a program does to itself and to what is around it.
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int counter;
static void* volatile sink;  // what is stored there is not optimised away
static char table[8192];
static char* kept;
static jmp_buf place;
static int depth_limit = 1 << 30;

static void say_goodbye(void) {
  printf("goodbye %d\n", ++counter);
}
static void say_more(void) {
  printf("more %d\n", ++counter);
}

__attribute__((noinline)) static int recurse(int depth) {
  volatile char room[256];
  room[depth & 255] = (char)depth;
  if (depth == depth_limit) return 0;
  return recurse(depth + 1) + room[depth & 255];
}

__attribute__((noinline)) static void jump(int depth) {
  if (depth == 0) longjmp(place, 7);
  jump(depth - 1);
}

__attribute__((noinline)) static void leave(int depth) {
  if (depth == 0) exit(5);
  leave(depth - 1);
  puts("never");
}

static void* in_thread(void* unused) {
  puts("in a thread");
  return unused;
}

static void handle(int number) {
  printf("signal %d\n", number);
  fflush(stdout);
  _exit(9);
}

static int is(const char* a, const char* b) {
  return strcmp(a, b) == 0;
}

static void ordinary(int count, char** arguments) {
  ++counter;
  table[counter] = (char)counter;
  if (kept == NULL) kept = strdup("kept");
  printf("%d %d %s %s\n", counter, table[1], kept, getenv("OWN") == NULL ? "none" : getenv("OWN"));
  setenv("OWN", "value", 1);
  int option;
  while ((option = getopt(count, arguments, "ab:")) != -1) printf("option %c %s\n", option, optarg);
  printf("rest %d, errno %d, rand %d, locale %s\n", optind, errno, rand(), setlocale(LC_ALL, NULL));
  char text[] = "one two";
  for (char* word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) puts(word);
  char line[64];
  while (fgets(line, sizeof line, stdin) != NULL) printf("[%s]", line);
  errno = EPERM;
  srand(42);
}

static void damage(const char* what) {
  if (is(what, "up")) {
    for (volatile char* at = table;; ++at) *at = 'x';
  } else if (is(what, "down")) {
    for (volatile char* at = table;; --at) *at = 'x';
  } else if (is(what, "stack")) {
    char here;
    for (volatile char* at = &here;; ++at) *at = 'x';
  } else if (is(what, "heap")) {
    for (volatile char* at = malloc(16);; ++at) *at = 'x';
  } else if (is(what, "far")) {
    uint64_t state = 88172645463325252U;
    for (int i = 0; i < 100; ++i) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      *(volatile char*)(state & 0xfffffffff) = 'x';
    }
  } else if (is(what, "streams")) {
    puts("lost");
    memset(stdout, 0x41, sizeof *stdout);
    puts("x");
  } else if (is(what, "code")) {
    *(volatile char*)(uintptr_t)&damage = 'x';
  } else if (is(what, "constant")) {
    *(volatile char*)"constant" = 'x';
  } else if (is(what, "null")) {
    *(volatile int*)0 = 1;
  } else if (is(what, "jump")) {
    ((void (*)(void))(uintptr_t)0x12345)();
  } else if (is(what, "noncanonical")) {
    *(volatile char*)0x4141414141414141 = 'x';
  }
}

static void files(const char* what) {
  if (is(what, "close")) {
    fclose(stdout);
    printf("nobody sees it");
    fprintf(stderr, "closed %d\n", ferror(stdin));
  } else if (is(what, "closed")) {
    close(1);
    puts("nobody sees it");
    fprintf(stderr, "flush %d errno %d\n", fflush(stdout), errno);
  } else if (is(what, "reopen")) {
    freopen("/dev/null", "w", stdout);
    puts("nobody sees it");
    fputs("reopened\n", stderr);
  } else if (is(what, "swap")) {
    const int saved = dup(1);
    dup2(2, 1);
    puts("to errors");
    fflush(stdout);
    dup2(saved, 1);
    puts("to output");
    close(saved);
    printf("next %d\n", dup(0));
  } else if (is(what, "read")) {
    FILE* const file = fopen("data", "r");
    char line[100];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) fputs(line, stdout);
    struct stat status;
    printf("%d size %ld regular %d\n", file != NULL, stat("data", &status) == 0 ? (long)status.st_size : -1L,
           S_ISREG(status.st_mode));
    if (file != NULL) printf("seek %d at %ld\n", fseek(file, 2, SEEK_SET), ftell(file));
    if (file != NULL) printf("then %c %d\n", fgetc(file), fclose(file));
  } else if (is(what, "missing")) {
    printf("%p %s\n", (void*)fopen("missing", "r"), strerror(errno));
    printf("%p %s\n", (void*)fopen("data/x", "r"), strerror(errno));
    printf("%p %s\n", (void*)fopen("/no/such/file", "r"), strerror(errno));
    printf("%p %s\n", (void*)fopen("", "r"), strerror(errno));
    printf("%d %d %d\n", access("data", R_OK), access("missing", F_OK), isatty(0));
  } else if (is(what, "write")) {
    FILE* const file = fopen("made", "w");
    fputs("content", file);
    puts("written");
  } else if (is(what, "append")) {
    FILE* const file = fopen("data", "a");
    fputs("content", file);
  } else if (is(what, "remove")) {
    printf("%d\n", unlink("data"));
  } else if (is(what, "list")) {
    execl("/bin/ls", "ls", (char*)NULL);
  } else if (is(what, "seek")) {
    char text[8] = "";
    printf("%ld", (long)lseek(0, 2, SEEK_SET));
    printf(" %ld %s", (long)read(0, text, 4), text);
    printf(" %ld", (long)lseek(0, 0, SEEK_END));
    printf(" %ld\n", (long)lseek(0, -100, SEEK_SET));
  } else if (is(what, "numbers")) {
    int a = 0;
    double b = 0;
    char word[16] = "";
    const int got = scanf("%d %lf %15s", &a, &b, word);
    printf("%d: %d %.3f %s\n", got, a, b, word);
    ungetc('#', stdin);
    printf("%c %d\n", getchar(), feof(stdin));
  } else if (is(what, "unbuffered")) {
    setvbuf(stdout, NULL, _IONBF, 0);
    puts("one");
    fputs("two\n", stderr);
    printf("three");
    _exit(3);
  } else if (is(what, "many")) {
    int opened = 0;
    while (opened < 1000 && open("data", O_RDONLY) >= 0) ++opened;
    printf("%d\n", opened > 500);
  } else if (is(what, "raw")) {
    // Neither is how the C library makes system calls.
    const char* const text = "raw\n";
    long result = 1;
    __asm__ volatile("syscall\n\tnop\n\tnop"
                     : "+a"(result)
                     : "D"(1L), "S"(text), "d"(4L)
                     : "rcx", "r11", "memory");
    long again = 0;
    __asm__ volatile("mov $1, %%eax\n\tsyscall"
                     : "=a"(again)
                     : "D"(1L), "S"(text), "d"(4L)
                     : "rcx", "r11", "memory");
    printf("%ld %ld\n", result, again);
  } else if (is(what, "wrong")) {
    printf("%ld", (long)read(0, (void*)1, 4));
    printf(" %d", errno);
    printf(" %ld", (long)write(1, (void*)8, 4));
    printf(" %d\n", errno);
  }
}

static void memory(const char* what) {
  if (is(what, "leak")) {
    for (int i = 0; i < 700; ++i) memset(sink = malloc(1000), i, 1000);
    puts("leaked");
  } else if (is(what, "huge")) {
    printf("%d\n", (sink = malloc((size_t)3 << 30)) == NULL);
    errno = 0;
    printf("%d %d\n", (sink = malloc((size_t)1 << 50)) == NULL, errno);
  } else if (is(what, "large")) {
    const size_t size = (size_t)40 << 20;
    unsigned char* const bytes = sink = calloc(size, 1);
    unsigned sum = 0;
    for (size_t i = 0; i < size; i += 4096) bytes[i] = (unsigned char)(i >> 12);
    for (size_t i = 0; i < size; i += 512) sum += bytes[i];
    printf("%u\n", sum);
  } else if (is(what, "all")) {
    size_t count = 0;
    while (count < 100000 && (sink = malloc((size_t)1 << 20)) != NULL) ++count;
    printf("%d\n", count > 900 && count < 1100);
  } else if (is(what, "reuse")) {
    for (int i = 0; i < 3000; ++i) {
      char* const block = malloc(200000 + (size_t)i);
      if (block == NULL) abort();
      block[0] = block[200000] = 1;
      free(block);
    }
    char* text = malloc(10);
    strcpy(text, "grows");
    for (size_t size = 100; size < 4000000; size *= 3) text = realloc(text, size);
    puts(text);
  } else if (is(what, "unset")) {
    // Fresh from the system, it is zeros.
    const volatile unsigned char* const bytes = sink = malloc(3 << 20);
    unsigned sum = 0;
    for (int i = 0; i < 3 << 20; ++i) sum += bytes[i];
    printf("%u\n", sum);
  } else if (is(what, "end")) {
    // Without the allocator, which would notice.
    char* const end = sbrk(0);
    char text[100];
    int size = sprintf(text, "%d %d", brk(end + 100000), (int)((char*)sbrk(0) - end));
    end[99999] = 1;
    size += sprintf(text + size, " %d %d", brk(end), brk((void*)-1));
    size += sprintf(text + size, " %d %d\n", brk(end + 100000), end[99999]);
    write(1, text, (size_t)size);
    _exit(0);
  } else if (is(what, "again")) {
    void* const first = sink = malloc(40);
    free(sink);
    printf("%d\n", (sink = malloc(40)) == first);
  } else if (is(what, "mapped")) {
    char* const map = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d ", map[5000]);
    map[5000] = 7;
    printf("%d ", map[5000]);
    printf("%d\n", munmap(map, 10000));
    fflush(stdout);
    map[5000] = 8;
  }
}

static void ends(const char* what) {
  if (is(what, "abort")) {
    puts("before");
    abort();
  } else if (is(what, "assert")) {
    assert(counter == 7);
  } else if (is(what, "nested")) {
    leave(20);
  } else if (is(what, "handlers")) {
    atexit(say_goodbye);
    atexit(say_more);
    on_exit((void (*)(int, void*))(void*)say_more, NULL);
    leave(3);
  } else if (is(what, "quick")) {
    at_quick_exit(say_goodbye);
    puts("lost");
    quick_exit(4);
  } else if (is(what, "at once")) {
    puts("lost");
    _exit(300);
  } else if (is(what, "negative")) {
    exit(-1);
  } else if (is(what, "recursion")) {
    printf("%d\n", recurse(0));
  } else if (is(what, "deep")) {
    depth_limit = 12000;
    printf("%d\n", recurse(0));
  } else if (is(what, "loop")) {
    puts("before");
    for (volatile int i = 0;;) ++i;
  } else if (is(what, "output")) {
    for (;;) puts("and so on");
  } else if (is(what, "errors")) {
    for (;;) fputs("and so on\n", stderr);
  } else if (is(what, "longjmp")) {
    const int value = setjmp(place);
    printf("%d\n", value);
    if (value == 0) jump(5);
  } else if (is(what, "divide")) {
    volatile int zero = 0;
    volatile int one = 1;
    printf("%d\n", one / zero);
  } else if (is(what, "trap")) {
    __builtin_trap();
  } else if (is(what, "raise")) {
    puts("lost");
    raise(SIGTERM);
  } else if (is(what, "ignored")) {
    signal(SIGTERM, SIG_IGN);
    raise(SIGTERM);
    puts("still there");
  } else if (is(what, "kill")) {
    kill(getpid(), SIGKILL);
  } else if (is(what, "handler")) {
    signal(SIGSEGV, handle);
    *(volatile int*)0 = 1;
  } else if (is(what, "own handler")) {
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
  } else if (is(what, "alarm")) {
    alarm(1);
    puts("in time");
  } else if (is(what, "sleep")) {
    sleep(1);
    puts("slept");
  }
}

static void surroundings(const char* what) {
  if (is(what, "locale")) {
    printf("%d %.1f\n", setlocale(LC_ALL, "C.UTF-8") != NULL, 1.5);
    printf("%s %zu\n", setlocale(LC_ALL, NULL), (size_t)MB_CUR_MAX);
  } else if (is(what, "environment locale")) {
    printf("%s %d\n", setlocale(LC_ALL, ""), isalpha(0xe9) != 0);
  } else if (is(what, "folder")) {
    printf("%d", chdir("/"));
    printf(" %d %d\n", access("data", F_OK), chdir("/no/such/folder"));
  } else if (is(what, "which folder")) {
    char path[1000];
    puts(getcwd(path, sizeof path) == NULL ? "none" : path);
  } else if (is(what, "umask")) {
    printf("%o", umask(077));
    printf(" %o\n", umask(0));
  } else if (is(what, "time zone")) {
    const time_t then = 1000000000;
    printf("%s %s", tzname[0], ctime(&then));
    setenv("TZ", "Europe/Berlin", 1);
    tzset();
    printf("%s", ctime(&then));
  } else if (is(what, "clock")) {
    printf("%d\n", clock() >= 0 && time(NULL) > 1500000000);
  } else if (is(what, "thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
  } else if (is(what, "fork")) {
    if (fork() == 0) _exit(0);
    wait(NULL);
    puts("forked");
  } else if (is(what, "system")) {
    printf("%d\n", system("echo hello"));
  } else if (is(what, "names")) {
    printf("%s %s %s\n", getenv("PATH"), getenv("TZ"), getenv("LD_BIND_NOW") == NULL ? "-" : "bound");
    printf("%s %d\n", program_invocation_short_name, getppid() > 0);
  }
}

int main(int count, char** arguments) {
  const char* const what = count > 2 ? arguments[2] : "";
  if (count > 1 && is(arguments[1], "damage")) damage(what);
  if (count > 1 && is(arguments[1], "files")) files(what);
  if (count > 1 && is(arguments[1], "memory")) memory(what);
  if (count > 1 && is(arguments[1], "ends")) ends(what);
  if (count > 1 && is(arguments[1], "surroundings")) surroundings(what);
  ordinary(count, arguments);
  return counter;
}
