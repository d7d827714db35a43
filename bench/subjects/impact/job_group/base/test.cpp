// Two workers run jobs on machines, one of which fails; a third thread waits for all of them, and then runs
// something itself.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <thread>

#include "job_group.h"
#include "machines.h"

namespace {

constexpr int kRounds = 7;
constexpr int kMachines = 4;

struct Site {
  jobs::JobGroup group;
  jobs::Machines machines{kMachines};
  jobs::EventLog log;
};

// Runs something that consists of several steps.
void run(Site& site, int job) {
  for (int round = 0; round < kRounds; ++round) {
    site.log.add(jobs::Event::start, job);
    const int machine = site.machines.borrow();
    assert(machine >= 0 && machine < kMachines);
    assert(site.machines.idle() < kMachines);
    site.log.add(jobs::Event::progress, job);
    site.machines.give_back(machine, 2);
    assert(site.machines.seconds() >= 2 * (round + 1));
    site.log.add(jobs::Event::stop, job);
    assert(site.log.count(jobs::Event::start) >= round + 1);
    if (site.log.mentions(job)) assert(site.log.size() >= 1);
  }
}

void work(Site& site, int first) {
  run(site, 1);
  for (int job = first; job < first + 3; ++job) site.group.finish(job);
}

void give_up(Site& site) {
  site.group.add(1);
  run(site, 2);
  site.group.fail("no input");
  site.group.finish(10);
}

void collect(Site& site) {
  assert(!site.group.wait());
  assert(site.group.done());
  assert(site.group.sum() == 1 + 2 + 3 + 10);
  run(site, 3);
}

void watch(Site& site) {
  const jobs::Results before = site.group.results();
  const int sum = site.group.sum();
  run(site, 4);
  const jobs::Results after = site.group.results();
  assert(after.finished >= before.finished && after.sum >= sum);
  assert(site.group.errors().size() <= 1);
  assert(site.group.results().failed <= 1);
  assert(site.group.sum() <= 16);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<Site>();
  Site& site = *owner;
  site.group.add(4);

  std::thread collector([&] { collect(site); });
  std::thread watcher([&] { watch(site); });
  std::thread worker([&] { work(site, 1); });
  std::thread other([&] { give_up(site); });
  collector.join();
  watcher.join();
  worker.join();
  other.join();

  assert(site.group.errors().size() == 1);
  assert(site.machines.idle() == kMachines);
  assert(site.machines.seconds() == 4 * 2 * kRounds);
  assert(site.log.size() == 4 * 3 * kRounds);
}
