// Two workers end jobs, one of which fails; a third thread waits for all of them.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <thread>

#include "job_group.h"

namespace {

void work(jobs::JobGroup& group, int first) {
  for (int job = first; job < first + 3; ++job) group.finish(job);
}

void give_up(jobs::JobGroup& group) {
  group.add(1);
  group.fail("no input");
  group.finish(10);
}

void collect(jobs::JobGroup& group) {
  assert(!group.wait());
  assert(group.done());
  assert(group.sum() == 1 + 2 + 3 + 10);
}

void watch(const jobs::JobGroup& group) {
  const jobs::Results before = group.results();
  const int sum = group.sum();
  const jobs::Results after = group.results();
  assert(after.finished >= before.finished && after.sum >= sum);
  assert(group.errors().size() <= 1);
  assert(group.results().failed <= 1);
  assert(group.sum() <= 16);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<jobs::JobGroup>();
  jobs::JobGroup& group = *owner;
  group.add(4);

  std::thread watcher([&] { watch(group); });
  std::thread collector([&] { collect(group); });
  std::thread worker([&] { work(group, 1); });
  std::thread other([&] { give_up(group); });
  watcher.join();
  collector.join();
  worker.join();
  other.join();

  assert(group.errors().size() == 1);
}
