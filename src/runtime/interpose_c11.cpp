// C11 threads: glibc implements them beside pthreads, so each call is put down to its pthread counterpart.
#include <pthread.h>
#include <threads.h>
#include <cerrno>

#include "runtime/address_space.h"
#include "runtime/runtime.h"
#include "runtime/sync.h"

using namespace heddle::rt;

// The pthread functions below see this library as their caller; the program's call is what counts.
#define HEDDLE_NOTE_FRONT note_front()

namespace {

int to_c11(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

pthread_mutex_t* mutex_of(mtx_t* mutex) {
  return reinterpret_cast<pthread_mutex_t*>(mutex);
}
pthread_cond_t* cond_of(cnd_t* cond) {
  return reinterpret_cast<pthread_cond_t*>(cond);
}

struct Start {
  thrd_start_t function;
  void* argument;
};

FreeList<Start> starts;

void* run_c11(void* argument) {
  const Start start = *static_cast<Start*>(argument);
  starts.give_back(static_cast<Start*>(argument));
  return reinterpret_cast<void*>(static_cast<intptr_t>(start.function(start.argument)));
}

}  // namespace

HEDDLE_EXPORT int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  HEDDLE_NOTE_FRONT;
  Start* const start = starts.take();
  *start = {function, argument};
  return to_c11(pthread_create(thread, nullptr, run_c11, start));
}
HEDDLE_EXPORT int thrd_join(thrd_t thread, int* result) {
  HEDDLE_NOTE_FRONT;
  void* value = nullptr;
  const int error = pthread_join(thread, &value);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return to_c11(error);
}
HEDDLE_EXPORT int thrd_detach(thrd_t thread) {
  HEDDLE_NOTE_FRONT;
  return to_c11(pthread_detach(thread));
}
HEDDLE_EXPORT void thrd_exit(int result) {
  HEDDLE_NOTE_FRONT;
  pthread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result)));
}
HEDDLE_EXPORT void thrd_yield() {
  HEDDLE_NOTE_FRONT;
  sched_yield();
}
HEDDLE_EXPORT int thrd_sleep(const timespec* duration, timespec* left) {
  HEDDLE_NOTE_FRONT;
  return nanosleep(duration, left);
}

HEDDLE_EXPORT int mtx_init(mtx_t* mutex, int type) {
  HEDDLE_NOTE_FRONT;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if ((type & mtx_recursive) != 0) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  return to_c11(pthread_mutex_init(mutex_of(mutex), &attributes));
}
HEDDLE_EXPORT int mtx_lock(mtx_t* mutex) {
  HEDDLE_NOTE_FRONT;
  return to_c11(pthread_mutex_lock(mutex_of(mutex)));
}
HEDDLE_EXPORT int mtx_trylock(mtx_t* mutex) {
  HEDDLE_NOTE_FRONT;
  return to_c11(pthread_mutex_trylock(mutex_of(mutex)));
}
HEDDLE_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* until) {
  HEDDLE_NOTE_FRONT;
  return to_c11(pthread_mutex_timedlock(mutex_of(mutex), until));
}
HEDDLE_EXPORT int mtx_unlock(mtx_t* mutex) {
  HEDDLE_NOTE_FRONT;
  return to_c11(pthread_mutex_unlock(mutex_of(mutex)));
}
HEDDLE_EXPORT void mtx_destroy(mtx_t* mutex) {
  HEDDLE_NOTE_FRONT;
  pthread_mutex_destroy(mutex_of(mutex));
}

HEDDLE_EXPORT int cnd_init(cnd_t* cond) {
  HEDDLE_NOTE_FRONT;
  return to_c11(pthread_cond_init(cond_of(cond), nullptr));
}
HEDDLE_EXPORT int cnd_signal(cnd_t* cond) {
  HEDDLE_NOTE_FRONT;
  return to_c11(pthread_cond_signal(cond_of(cond)));
}
HEDDLE_EXPORT int cnd_broadcast(cnd_t* cond) {
  HEDDLE_NOTE_FRONT;
  return to_c11(pthread_cond_broadcast(cond_of(cond)));
}
HEDDLE_EXPORT int cnd_wait(cnd_t* cond, mtx_t* mutex) {
  HEDDLE_NOTE_FRONT;
  return to_c11(pthread_cond_wait(cond_of(cond), mutex_of(mutex)));
}
HEDDLE_EXPORT int cnd_timedwait(cnd_t* cond, mtx_t* mutex, const timespec* until) {
  HEDDLE_NOTE_FRONT;
  return to_c11(pthread_cond_timedwait(cond_of(cond), mutex_of(mutex), until));
}
HEDDLE_EXPORT void cnd_destroy(cnd_t* cond) {
  HEDDLE_NOTE_FRONT;
  pthread_cond_destroy(cond_of(cond));
}

HEDDLE_EXPORT void call_once(once_flag* flag, void (*function)()) {
  HEDDLE_NOTE_FRONT;
  pthread_once(reinterpret_cast<pthread_once_t*>(flag), function);
}
HEDDLE_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  HEDDLE_NOTE_FRONT;
  return to_c11(pthread_key_create(reinterpret_cast<pthread_key_t*>(key), destructor));
}
HEDDLE_EXPORT void tss_delete(tss_t key) {
  HEDDLE_NOTE_FRONT;
  pthread_key_delete(key);
}
