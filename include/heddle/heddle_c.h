/* heddle inside a program, for C: annotations, and exploring the schedules of one function in one process.
 *
 * Everything here works in C and in C++, needs no library at link time, and does nothing harmful in a program
 * that does not run under heddle's runtime: annotations are no-ops then, and heddle_explore() calls the
 * function once. Include <heddle/heddle.h>, which has heddle::explore() and HEDDLE_TEST for C++ on top.
 * docs/api.md explains.
 */
#ifndef HEDDLE_HEDDLE_C_H
#define HEDDLE_HEDDLE_C_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to explore. Zero in any field means the default, so start from `struct heddle_options options = {0};`.
 */
struct heddle_options {
  const char* name;      /* of the test, in messages and file names; default "explore" */
  const char* policy;    /* nonpreemptive, round-robin, random, pct:D or pos; default random */
  uint64_t seed;         /* execution i has seed + i; default 1 */
  uint64_t executions;   /* at most so many; default 10000 */
  uint64_t milliseconds; /* begin no execution after this time; default: no limit */
  uint64_t max_steps;    /* more scheduling steps than this are a livelock; default 100000 */
  int keep_going;        /* do not stop at the first failure */
  const char* folder;    /* where schedule files go; default: the current one. "" writes none */
  const char* schedule;  /* execute this schedule once (the text, not a file name) instead of exploring */
  int (*failed)(void*);  /* after each execution: whether it failed, with the argument of the body */
  int detect_races;      /* data races are failures, too; takes a few times as long */
};

/* What came of it. Texts live until the next exploration; those about a failure are NULL if there was none.
 */
struct heddle_result {
  int controlled;       /* 0: not under heddle; the body was called once, natively */
  uint64_t executions;  /* completed, with a verdict */
  uint64_t blocked;     /* ended by an assumption that did not hold */
  uint64_t failures;    /* of the executions */
  uint64_t points;      /* locations whose accesses are scheduling points, as learned so far */
  uint64_t failed_seed; /* of the first failure */
  int diverged;         /* a given schedule could not be followed to its end */
  uint64_t trace_hash;  /* under a given schedule: of all that happened. Two that differ mean that the body
                           depends on something beside its schedule */
  const char* kind;     /* of the first failure: assertion, exception, deadlock, lost-wakeup, livelock, … */
  const char* message;  /* what happened, and who waits for whom; or why nothing was explored */
  const char* schedule; /* replays it: heddle_options.schedule, or `heddle replay` on the file */
  const char* schedule_file;
};

/* The runtime's side. Weak: all are NULL in a program that does not run under it. */
int heddle_rt_explore(void (*body)(void*), void* argument, const struct heddle_options* options,
                      struct heddle_result* result) __attribute__((weak));
void heddle_rt_yield(void) __attribute__((weak));
void heddle_rt_atomic_set(const char* name, const volatile void* address, size_t size) __attribute__((weak));
void heddle_rt_assume_failed(void) __attribute__((weak));
void heddle_rt_fail(const char* message) __attribute__((weak));
void heddle_rt_note_failure(const char* kind, const char* message) __attribute__((weak));

/* A scheduling point where the code has none of its own: any other thread may run here. */
static inline void heddle_yield(void) {
  if (heddle_rt_yield) heddle_rt_yield();
}

/* The memory belongs to the atomic set `name`: what is in one set is consistent only together. Recorded in
 * traces, for engines that look for accesses which come between. */
static inline void heddle_atomic_set(const char* name, const volatile void* address, size_t size) {
  if (heddle_rt_atomic_set) heddle_rt_atomic_set(name, address, size);
}

/* Executions in which the condition does not hold are of no interest: they end here, without a verdict. */
static inline void heddle_assume(int condition) {
  if (!condition && heddle_rt_assume_failed) heddle_rt_assume_failed();
}

/* This execution has failed. It ends here; an exploration goes on to say so, any other program ends. */
static inline void heddle_fail(const char* message) {
  if (heddle_rt_fail) heddle_rt_fail(message);
  fprintf(stderr, "heddle_fail: %s\n", message);
  abort();
}

/* Executes body(argument) under many schedules. Returns 0 if none of them failed. */
static inline int heddle_explore(void (*body)(void*), void* argument, const struct heddle_options* options,
                                 struct heddle_result* result) {
  int failed;
  if (heddle_rt_explore) return heddle_rt_explore(body, argument, options, result);
  memset(result, 0, sizeof *result);
  failed = options->failed != NULL && options->failed(argument);
  body(argument);
  result->executions = 1;
  result->message = "not explored: the program does not run under heddle, the body was called once";
  if (failed || options->failed == NULL || !options->failed(argument)) return 0;
  result->failures = 1;
  result->kind = "assertion";
  result->message = "the test has failed";
  return 1;
}

#ifdef __cplusplus
}
#endif

#endif /* HEDDLE_HEDDLE_C_H */
