// expect: ok
// detect: race
// executions: 200
// The program says what orders its threads, and which race is meant.
#include <atomic>
#include <thread>

extern "C" void AnnotateHappensBefore(const char*, int, const volatile void*);
extern "C" void AnnotateHappensAfter(const char*, int, const volatile void*);
extern "C" void AnnotateBenignRaceSized(const char*, int, const volatile void*, unsigned long, const char*);
extern "C" void AnnotateIgnoreWritesBegin(const char*, int);
extern "C" void AnnotateIgnoreWritesEnd(const char*, int);

int data;
int statistics;
int ignored;
std::atomic<bool> ready;

int main() {
  AnnotateBenignRaceSized(__FILE__, __LINE__, &statistics, sizeof statistics, "a guess will do");
  std::thread other([] {
    data = 1;
    statistics++;
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    ignored = 1;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateHappensBefore(__FILE__, __LINE__, &ready);
    ready.store(true, std::memory_order_relaxed);
  });
  statistics++;
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  ignored = 2;
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  AnnotateHappensAfter(__FILE__, __LINE__, &ready);
  const int seen = data;
  other.join();
  return seen - 1;
}
