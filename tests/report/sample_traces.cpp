#include "sample_traces.h"

#include <csignal>

#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::BlockedRecord;
using trace::EventKind;
using trace::OutcomeKind;
using trace::Trace;
using trace::TraceBuilder;
using trace::WaitKind;
using Location = TraceBuilder::Location;
using Thread = TraceBuilder::Thread;

constexpr std::string_view kSource = R"(#include <thread>
#include "bank.h"

std::mutex a, b;
long balance = 0;
std::condition_variable ready;
bool done = false;

void transfer() {
  a.lock();
  b.lock();
  balance -= 10;
  b.unlock();
  a.unlock();
}

void audit() {
  b.lock();
  a.lock();
  check(balance);
  a.unlock();
  b.unlock();
}

void deposit(long amount) {
  balance += amount;
}

void consumer() {
  std::unique_lock lock(a);
  ready.wait(lock);
}

void producer() {
  done = true;
  ready.notify_one();
}

void spin() {
  while (!done) {
    std::this_thread::yield();
  }
}

int main() {
  std::thread first(transfer);
  std::thread second(audit);
  first.join();
  second.join();
  assert(balance == 20);
}
)";

// The globals of bank.cpp, in the order of their declaration.
struct Bank {
  explicit Bank(uint32_t shift = 0) : shift_(shift) {}

  BlockedRecord blocked(Thread thread, WaitKind wait, Location where, uint64_t line) {
    BlockedRecord record{};
    record.thread = thread.index();
    record.wait = wait;
    record.object = where.object;
    record.offset = where.offset;
    record.site = builder.site(at(line));
    return record;
  }

  void wait_for_lock(Thread thread, Location lock, uint64_t line, Thread holder, uint64_t held_line) {
    BlockedRecord record = blocked(thread, WaitKind::kLock, lock, line);
    record.holder = holder.index() + 1;
    record.holder_site = builder.site(at(held_line));
    record.in_cycle = 1;
    builder.tables().blocked.push_back(record);
  }

  void wait_for_end(Thread thread, Thread other, uint64_t line) {
    BlockedRecord record = blocked(thread, WaitKind::kJoin, {}, line);
    record.holder = other.index() + 1;
    builder.tables().blocked.push_back(record);
  }

  void fail(OutcomeKind kind, Thread thread, uint64_t line, std::string_view message = "") {
    builder.outcome(kind, thread, message);
    builder.tables().outcome.site = builder.site(at(line));
  }

  uint64_t at(uint64_t line) const { return line + shift_; }

  TraceBuilder builder;
  Location a = builder.global(40);
  Location b = builder.global(40);
  Location balance = builder.global(8);
  Location ready = builder.global(48);
  Location done = builder.global(8);

 private:
  uint32_t shift_;
};

}  // namespace

FakeSymbolizer bank_symbols() {
  FakeSymbolizer symbols;
  symbols.variable("a", 0, 40).variable("b", 40, 40).variable("balance", 80, 8);
  symbols.variable("ready", 88, 48).variable("done", 136, 1);
  symbols.function("transfer", 9, 15).function("audit", 17, 23).function("deposit", 25, 27);
  symbols.function("consumer", 29, 32).function("producer", 34, 37).function("spin", 39, 43);
  symbols.function("main", 45, 51);
  return symbols;
}

std::string bank_source() {
  return std::string(kSource);
}

Trace deadlock_trace(uint32_t shifted, bool swapped) {
  Bank bank(shifted);
  Thread main = bank.builder.main_thread();
  Thread first = main.fork();
  main.at(bank.at(46));
  Thread second = main.fork();
  main.at(bank.at(47));
  if (swapped) std::swap(first, second);
  first.lock(bank.a).at(bank.at(10));
  second.lock(bank.b).at(bank.at(18));
  bank.wait_for_end(main, first, 48);
  bank.wait_for_lock(first, bank.b, 11, second, 18);
  bank.wait_for_lock(second, bank.a, 19, first, 10);
  bank.fail(OutcomeKind::kDeadlock, first, 11, "no thread can run any more");
  return bank.builder.build();
}

Trace circle_trace() {
  Bank bank;
  Thread main = bank.builder.main_thread();
  Location local = bank.builder.stack(main, 40);
  Location heap = main.allocate(48);
  main.at(46);
  std::vector<Thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.push_back(main.fork());
    main.at(46);
  }
  for (Thread& thread : threads) thread.atomic_read(bank.done).at(40);
  threads[0].lock(local).at(10);
  threads[2].lock(heap.part(8, 40)).at(18);
  threads[4].lock(bank.a).at(30);
  bank.wait_for_lock(threads[4], local, 31, threads[0], 10);
  bank.wait_for_lock(threads[0], heap.part(8, 40), 11, threads[2], 18);
  bank.wait_for_lock(threads[2], bank.a, 19, threads[4], 30);
  for (int i : {1, 3, 5}) bank.wait_for_end(threads[i], threads[0], 48);
  bank.fail(OutcomeKind::kDeadlock, threads[0], 11);
  return bank.builder.build();
}

Trace self_deadlock_trace() {
  Bank bank;
  Thread main = bank.builder.main_thread();
  main.lock(bank.a).at(10);
  bank.wait_for_lock(main, bank.a, 19, main, 10);
  bank.fail(OutcomeKind::kDeadlock, main, 19);
  return bank.builder.build();
}

Trace lost_wakeup_trace() {
  Bank bank;
  Thread main = bank.builder.main_thread();
  Thread consumer = main.fork();
  main.at(46);
  Thread producer = main.fork();
  main.at(47);
  producer.write(bank.done).at(35);
  producer.notify_one(bank.ready, 0).at(36);
  size_t notify = bank.builder.tables().events.size() - 1;
  producer.end();
  consumer.lock(bank.a).at(30);
  consumer.event(EventKind::kCondWait, bank.ready).at(31).unlock(bank.a).at(31);
  bank.wait_for_end(main, consumer, 48);
  BlockedRecord record = bank.blocked(consumer, WaitKind::kCond, bank.ready, 31);
  record.early_notifier = producer.index() + 1;
  record.early_site = bank.builder.site(36);
  record.early_event = notify;
  bank.builder.tables().blocked.push_back(record);
  bank.fail(OutcomeKind::kLostWakeup, consumer, 31);
  return bank.builder.build();
}

Trace injected_trace() {
  Bank bank;
  Thread main = bank.builder.main_thread();
  Thread consumer = main.fork();
  main.at(46);
  consumer.lock(bank.a).at(30);
  consumer.event(EventKind::kCondWait, bank.ready).at(31).unlock(bank.a).at(31);
  consumer.event(EventKind::kCondWake, bank.ready).at(31);  // by nobody
  consumer.lock(bank.a).at(31);
  consumer.event(EventKind::kAlloc, {}).at(35).failed();
  bank.fail(OutcomeKind::kAssertion, consumer, 36);
  return bank.builder.build();
}

Trace stolen_wakeup_trace(bool consumer_is_victim) {
  Bank bank;
  Thread main = bank.builder.main_thread();
  Thread notifier = main.fork();
  main.at(46);
  Thread idle = main.fork();
  main.at(47);
  Thread victim = main.fork();
  main.at(47);
  const uint64_t victim_line = consumer_is_victim ? 31 : 34;
  const auto wait = [&](Thread& thread, Location condition, uint64_t line) {
    thread.lock(bank.a).at(line).read(condition).at(line);
    thread.event(EventKind::kCondWait, bank.ready).at(line).unlock(bank.a).at(line);
  };
  wait(idle, bank.balance, 31);
  wait(victim, bank.done, victim_line);
  notifier.write(bank.done).at(35).notify_one(bank.ready, 1).at(36).end();
  idle.event(EventKind::kCondWake, bank.ready, notifier.index() + 1).at(31);
  wait(idle, bank.balance, 31);
  bank.wait_for_end(main, victim, 48);
  bank.builder.tables().blocked.push_back(bank.blocked(idle, WaitKind::kCond, bank.ready, 31));
  bank.builder.tables().blocked.push_back(bank.blocked(victim, WaitKind::kCond, bank.ready, victim_line));
  bank.fail(OutcomeKind::kLostWakeup, idle, 31);
  return bank.builder.build();
}

Trace assertion_trace() {
  Bank bank;
  Thread main = bank.builder.main_thread();
  Thread first = main.fork();
  main.at(46);
  Thread second = main.fork();
  main.at(47);
  first.read(bank.balance).at(26);
  second.read(bank.balance).at(26).write(bank.balance).at(26);
  first.write(bank.balance).at(26);
  main.join(first).at(48).join(second).at(49);
  main.read(bank.balance).at(50);
  bank.fail(OutcomeKind::kAssertion, main, 50,
            "bank: bank.cpp:50: int main(): Assertion `balance == 20' failed.");
  return bank.builder.build();
}

Trace crash_trace() {
  Bank bank;
  Thread main = bank.builder.main_thread();
  Location account = main.allocate(24);
  main.at(46);
  Thread worker = main.fork();
  main.at(47);
  worker.call(40).read(account.part(16, 8)).at(20);
  main.write(account.part(16, 8)).at(35);
  worker.read(account.part(16, 8)).at(12);
  bank.fail(OutcomeKind::kCrash, worker, 12);
  auto& outcome = bank.builder.tables().outcome;
  outcome.signal = SIGSEGV;
  outcome.fault_address = 0x10;
  outcome.stack_size = 2;
  outcome.stack[0] = bank.builder.site(12);
  outcome.stack[1] = bank.builder.site(40);
  bank.builder.tables().blocked.push_back(bank.blocked(main, WaitKind::kNone, {}, 48));
  return bank.builder.build();
}

Trace exception_trace() {
  Bank bank;
  Thread main = bank.builder.main_thread();
  Thread worker = main.fork();
  main.at(46);
  main.write(bank.balance).at(12);
  worker.read(bank.balance).at(20);
  bank.fail(OutcomeKind::kException, worker, 20, "N4bank9OverdrawnE: only 10 left");
  return bank.builder.build();
}

Trace livelock_trace() {
  Bank bank;
  Thread main = bank.builder.main_thread();
  Thread worker = main.fork();
  main.at(46);
  worker.write(bank.balance).at(26);
  for (int i = 0; i < 50; ++i) {
    worker.atomic_read(bank.done).at(40).event(EventKind::kYield).at(41);
  }
  bank.wait_for_end(main, worker, 48);
  bank.builder.tables().blocked.push_back(bank.blocked(worker, WaitKind::kNone, {}, 40));
  bank.fail(OutcomeKind::kLivelock, worker, 40);
  return bank.builder.build();
}

Trace misuse_trace() {
  Bank bank;
  Thread main = bank.builder.main_thread();
  Thread worker = main.fork();
  main.at(46);
  main.lock(bank.a).at(10);
  worker.read(bank.balance).at(20);
  bank.fail(OutcomeKind::kMisuse, worker, 21, "unlocks a mutex that another thread holds");
  auto& outcome = bank.builder.tables().outcome;
  outcome.object = bank.a.object;
  outcome.offset = bank.a.offset;
  return bank.builder.build();
}

Trace exit_code_trace() {
  Bank bank;
  Thread main = bank.builder.main_thread();
  main.write(bank.balance).at(26).event(EventKind::kExit).at(51);
  bank.fail(OutcomeKind::kExitCode, main, 51);
  bank.builder.tables().outcome.exit_code = 3;
  return bank.builder.build();
}

Trace long_trace() {
  Bank bank;
  Thread main = bank.builder.main_thread();
  Thread first = main.fork();
  main.at(46);
  Thread second = main.fork();
  main.at(47);
  for (int round = 0; round < 1000; ++round) {
    first.lock(bank.a).at(10).lock(bank.b).at(11).read(bank.balance).at(12).write(bank.balance).at(12);
    first.unlock(bank.b).at(13).unlock(bank.a).at(14);
    for (int i = 0; i < 5; ++i) second.atomic_read(bank.done).at(40).event(EventKind::kYield).at(41);
  }
  first.lock(bank.a).at(10);
  second.lock(bank.b).at(18);
  bank.wait_for_end(main, first, 48);
  bank.wait_for_lock(first, bank.b, 11, second, 18);
  bank.wait_for_lock(second, bank.a, 19, first, 10);
  bank.fail(OutcomeKind::kDeadlock, first, 11);
  return bank.builder.build();
}

}  // namespace heddle
