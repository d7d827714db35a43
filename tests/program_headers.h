// What most programs of tests/programs and tests/subjects include, precompiled by
// cmake/HeddleTestPrograms.cmake. Only what defines no objects: a program must not become another one because
// of it.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
