// Functions of which glibc has several versions and that ThreadSanitizer's runtimes define, too.
//
// A program that was linked with such a runtime refers to its definition, which has no version. Without one
// here, the dynamic linker would give it glibc's oldest: a realpath that refuses a null buffer, a
// pthread_attr_getaffinity_np with other parameters. Here it gets the newest, as with ThreadSanitizer. All
// others of the kind are interposed for reasons of their own, or do the same in every version.
#include <glob.h>
#include <pthread.h>
#include <regex.h>
#include <cstdio>

#include "runtime/runtime.h"

using namespace heddle::rt;

HEDDLE_EXPORT char* realpath(const char* path, char* buffer) {
  static HEDDLE_REAL Real<char*(const char*, char*)> newest{"realpath"};
  return newest(path, buffer);
}

HEDDLE_EXPORT int regexec(const regex_t* expression, const char* text, size_t count, regmatch_t* matches,
                          int flags) {
  static HEDDLE_REAL Real<int(const regex_t*, const char*, size_t, regmatch_t*, int)> newest{"regexec"};
  return newest(expression, text, count, matches, flags);
}

HEDDLE_EXPORT FILE* fmemopen(void* buffer, size_t size, const char* mode) {
  static HEDDLE_REAL Real<FILE*(void*, size_t, const char*)> newest{"fmemopen"};
  return newest(buffer, size, mode);
}

HEDDLE_EXPORT int glob(const char* pattern, int flags, int (*on_error)(const char*, int), glob_t* result) {
  static HEDDLE_REAL Real<int(const char*, int, int (*)(const char*, int), glob_t*)> newest{"glob"};
  return newest(pattern, flags, on_error, result);
}
HEDDLE_EXPORT int glob64(const char* pattern, int flags, int (*on_error)(const char*, int),
                         glob64_t* result) {
  static HEDDLE_REAL Real<int(const char*, int, int (*)(const char*, int), glob64_t*)> newest{"glob64"};
  return newest(pattern, flags, on_error, result);
}

HEDDLE_EXPORT int pthread_attr_getaffinity_np(const pthread_attr_t* attributes, size_t size,
                                              cpu_set_t* cpus) {
  static HEDDLE_REAL Real<int(const pthread_attr_t*, size_t, cpu_set_t*)> newest{
      "pthread_attr_getaffinity_np"};
  return newest(attributes, size, cpus);
}

HEDDLE_EXPORT double lgamma(double x) {
  static HEDDLE_REAL Real<double(double)> newest{"lgamma"};
  return newest(x);
}
HEDDLE_EXPORT float lgammaf(float x) {
  static HEDDLE_REAL Real<float(float)> newest{"lgammaf"};
  return newest(x);
}
HEDDLE_EXPORT long double lgammal(long double x) {
  static HEDDLE_REAL Real<long double(long double)> newest{"lgammal"};
  return newest(x);
}
