#include "machine.h"

#include <algorithm>

#include "support/check.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::StepKind;
namespace flag = trace::event_flag;

constexpr uint64_t kVariables = 1, kMutexes = 2, kConditions = 3, kSemaphores = 4, kThreads = 5,
                   kBarriers = 6;

}  // namespace

Machine::Machine(const Program& program)
    : program_(program),
      threads_(program.threads.size()),
      variables_(program.variables),
      semaphores_(program.semaphores),
      mutexes_(static_cast<size_t>(program.mutexes)),
      arrived_(static_cast<size_t>(program.barriers)) {
  for (const auto& code : program.threads) {
    for (const Instruction& instruction : code) {
      if (instruction.code == Code::kFork) threads_[static_cast<size_t>(instruction.target)].started = false;
    }
  }
  for (uint32_t t = 0; t < threads_.size(); ++t) run_local(t);
}

bool Machine::all_ended() const {
  return std::all_of(threads_.begin(), threads_.end(),
                     [](const Thread& thread) { return thread.ended || !thread.started; });
}

Machine::Executed Machine::execute(ObservedStep* step) {
  step_ = step;
  current_ = step->chosen.thread;
  executed_ = {};
  if (step->chosen.kind == StepKind::kRun) {
    execute_instruction(current_);
  } else {
    end_wait_early(step->chosen);
  }
  run_local(current_);
  step_ = nullptr;
  return std::move(executed_);
}

void Machine::wake(uint32_t thread) {
  threads_[thread].phase = Phase::kNotified;
  executed_.woken.push_back(thread);
}

std::vector<PendingOperation> Machine::pending() const {
  std::vector<PendingOperation> found;
  for (uint32_t t = 0; t < threads_.size(); ++t) {
    const Instruction* next = instruction_of(t);
    const bool waits =
        threads_[t].started && !threads_[t].ended && next != nullptr && next->code < Code::kSet;
    if (waits) found.push_back({t, pending_of(t)});
  }
  return found;
}

std::vector<Operation> Machine::pending_operations(uint32_t thread, bool looks_only) const {
  std::vector<Operation> operations = {pending_of(thread, looks_only)};
  if (operations[0].kind == EventKind::kCondWait) {  // it also unlocks the mutex
    Operation unlock = operations[0];
    unlock.kind = EventKind::kUnlock;
    unlock.object = kMutexes;
    unlock.offset = static_cast<uint64_t>(instruction_of(thread)->value) * 8;
    operations.push_back(unlock);
  }
  return operations;
}

const Instruction* Machine::instruction_of(uint32_t t) const {
  const Thread& thread = threads_[t];
  const auto& code = program_.threads[t];
  return thread.at < code.size() ? &code[thread.at] : nullptr;
}

bool Machine::is_free(int mutex) const {
  const Mutex& m = mutexes_[static_cast<size_t>(mutex)];
  return m.owner < 0 && m.readers == 0;
}

bool Machine::can_run(uint32_t t) const {
  const Thread& thread = threads_[t];
  if (!thread.started || thread.ended) return false;
  const Instruction* i = instruction_of(t);
  if (thread.phase == Phase::kWaiting || thread.phase == Phase::kAtBarrier) return false;
  if (thread.phase == Phase::kReleased) return true;
  if (thread.phase != Phase::kIdle) return is_free(i->value);
  switch (i->code) {
    case Code::kLock:
    case Code::kTimedLock:
      return is_free(i->target);
    case Code::kReadLock:
      return mutexes_[static_cast<size_t>(i->target)].owner < 0;
    case Code::kSemWait:
    case Code::kTimedSemWait:
      return semaphores_[static_cast<size_t>(i->target)] > 0;
    case Code::kJoin:
      return threads_[static_cast<size_t>(i->target)].ended;
    default:
      return true;
  }
}

bool Machine::can_time_out(uint32_t t) const {
  const Thread& thread = threads_[t];
  if (!thread.started || thread.ended || can_run(t)) return false;
  const Code code = instruction_of(t)->code;
  if (thread.phase == Phase::kWaiting) return code == Code::kTimedWait;
  return thread.phase == Phase::kIdle && (code == Code::kTimedLock || code == Code::kTimedSemWait);
}

std::vector<Choice> Machine::alternatives() const {
  std::vector<Choice> found;
  for (uint32_t t = 0; t < threads_.size(); ++t) {
    if (can_run(t)) found.push_back({t, StepKind::kRun});
    if (can_time_out(t)) found.push_back({t, StepKind::kTimeout});
  }
  if (program_.spurious && !found.empty()) {
    for (uint32_t t = 0; t < threads_.size(); ++t) {
      if (threads_[t].phase == Phase::kWaiting && instruction_of(t)->code == Code::kWait)
        found.push_back({t, StepKind::kSpurious});
    }
  }
  return found;
}

void Machine::add(EventKind kind, uint64_t object, int offset, uint16_t flags, uint32_t peer) {
  const bool variable = object == kVariables;
  step_->operations.push_back({.kind = kind,
                               .object = object,
                               .offset = static_cast<uint64_t>(offset) * 8,
                               .size = variable ? 4u : 1u,
                               .flags = flags,
                               .peer = peer,
                               .value = object == kSemaphores ? value_of_semaphore(offset) + 1 : 0,
                               .statement = statement_of(current_),
                               .place = statement_of(current_)});
}

uint32_t Machine::value_of_semaphore(int semaphore) const {
  return static_cast<uint32_t>(semaphores_[static_cast<size_t>(semaphore)]);
}

uint64_t Machine::statement_of(uint32_t t) const {
  const Instruction* i = instruction_of(t);
  if (i != nullptr && i->line != 0) return static_cast<uint64_t>(i->line);
  return (uint64_t{t} + 1) * 1000 + threads_[t].at;
}

int Machine::address(uint32_t t, const Instruction& i) const {
  const int at = i.target + (i.index < 0 ? 0 : threads_[t].registers[static_cast<size_t>(i.index)]);
  HEDDLE_CHECK(at >= 0 && static_cast<size_t>(at) < variables_.size());
  return at;
}

void Machine::execute_instruction(uint32_t t) {
  Thread& thread = threads_[t];
  const Instruction& i = *instruction_of(t);
  int& reg = thread.registers[static_cast<size_t>(i.reg)];
  const int from = i.from < 0 ? 0 : thread.registers[static_cast<size_t>(i.from)];
  const auto target = static_cast<size_t>(i.target);
  if (thread.phase == Phase::kReleased) {
    add(EventKind::kBarrierLeave, kBarriers, i.target);
    thread.phase = Phase::kIdle;
    thread.at++;
    return;
  }
  if (thread.phase == Phase::kNotified || thread.phase == Phase::kRelocking) {
    if (thread.phase == Phase::kNotified) add(EventKind::kCondWake, kConditions, i.target);
    if (i.code == Code::kTimedWait) reg = thread.phase == Phase::kNotified ? 1 : 0;
    mutexes_[static_cast<size_t>(i.value)].owner = static_cast<int>(t);
    add(EventKind::kLock, kMutexes, i.value);
    thread.phase = Phase::kIdle;
    thread.at++;
    return;
  }
  switch (i.code) {
    case Code::kRead: {
      const int at = address(t, i);
      reg = variables_[static_cast<size_t>(at)];
      add(EventKind::kRead, kVariables, at);
      break;
    }
    case Code::kWrite: {
      const int at = address(t, i);
      variables_[static_cast<size_t>(at)] = i.value + from;
      add(EventKind::kWrite, kVariables, at);
      break;
    }
    case Code::kFetchAdd: {
      const int at = address(t, i);
      reg = variables_[static_cast<size_t>(at)];
      variables_[static_cast<size_t>(at)] += i.value;
      add(EventKind::kAtomicUpdate, kVariables, at);
      break;
    }
    case Code::kExchange: {
      const int at = address(t, i);
      reg = variables_[static_cast<size_t>(at)] == i.expected ? 1 : 0;
      if (reg != 0) variables_[static_cast<size_t>(at)] = i.value + from;
      add(EventKind::kAtomicUpdate, kVariables, at, reg != 0 ? 0 : flag::kFailed);
      break;
    }
    case Code::kLock:
    case Code::kTimedLock:
      mutexes_[target].owner = static_cast<int>(t);
      if (i.code == Code::kTimedLock) reg = 1;
      add(EventKind::kLock, kMutexes, i.target, i.code == Code::kTimedLock ? flag::kTimed : 0);
      break;
    case Code::kTryLock:
      reg = is_free(i.target) ? 1 : 0;
      if (reg != 0) mutexes_[target].owner = static_cast<int>(t);
      add(EventKind::kTryLock, kMutexes, i.target, reg != 0 ? 0 : flag::kFailed);
      break;
    case Code::kUnlock:
      mutexes_[target].owner = -1;
      add(EventKind::kUnlock, kMutexes, i.target);
      break;
    case Code::kReadLock:
      mutexes_[target].readers++;
      add(EventKind::kReadLock, kMutexes, i.target);
      break;
    case Code::kReadUnlock:
      mutexes_[target].readers--;
      add(EventKind::kReadUnlock, kMutexes, i.target);
      break;
    case Code::kWait:
    case Code::kTimedWait:
      thread.phase = Phase::kWaiting;
      mutexes_[static_cast<size_t>(i.value)].owner = -1;
      add(EventKind::kCondWait, kConditions, i.target);
      add(EventKind::kUnlock, kMutexes, i.value);
      return;
    case Code::kNotifyOne:
    case Code::kNotifyAll:
      notify(i);
      break;
    case Code::kSemWait:
    case Code::kTimedSemWait:
      if (i.code == Code::kTimedSemWait) reg = 1;
      add(EventKind::kSemWait, kSemaphores, i.target, i.code == Code::kTimedSemWait ? flag::kTimed : 0);
      semaphores_[target]--;
      break;
    case Code::kSemTryWait:
      reg = semaphores_[target] > 0 ? 1 : 0;
      semaphores_[target] -= reg;
      add(EventKind::kSemTryWait, kSemaphores, i.target, reg != 0 ? 0 : flag::kFailed);
      break;
    case Code::kSemPost:
      add(EventKind::kSemPost, kSemaphores, i.target);
      semaphores_[target]++;
      break;
    case Code::kBarrier:
      add(EventKind::kBarrierArrive, kBarriers, i.target);
      thread.phase = Phase::kAtBarrier;
      if (++arrived_[target] < i.value) return;
      arrived_[target] = 0;
      add(EventKind::kBarrierLeave, kBarriers, i.target);
      for (uint32_t other = 0; other < threads_.size(); ++other) {
        if (threads_[other].phase == Phase::kAtBarrier && instruction_of(other)->target == i.target)
          threads_[other].phase = Phase::kReleased;
      }
      thread.phase = Phase::kIdle;
      reg = 1;
      break;
    case Code::kFork:
      threads_[target].started = true;
      add(EventKind::kFork, kThreads, i.target, 0, static_cast<uint32_t>(i.target));
      break;
    case Code::kJoin:
      add(EventKind::kJoin, kThreads, i.target, 0, static_cast<uint32_t>(i.target));
      break;
    case Code::kExit:
      add(EventKind::kExit, 0, 0);
      over_ = true;
      break;
    default:
      HEDDLE_CHECK(!"an instruction that is no step");
  }
  thread.at++;
}

void Machine::end_wait_early(const Choice& chosen) {
  Thread& thread = threads_[chosen.thread];
  const Instruction& i = *instruction_of(chosen.thread);
  const uint16_t timed_out = chosen.kind == StepKind::kTimeout ? flag::kTimedOut : 0;
  if (thread.phase == Phase::kWaiting) {
    add(EventKind::kCondWake, kConditions, i.target, timed_out);
    thread.phase = Phase::kRelocking;
    return;
  }
  thread.registers[static_cast<size_t>(i.reg)] = 0;
  if (i.code == Code::kTimedLock) {
    add(EventKind::kLock, kMutexes, i.target, timed_out | flag::kFailed);
  } else {
    add(EventKind::kSemWait, kSemaphores, i.target, timed_out | flag::kFailed);
  }
  thread.at++;
}

void Machine::notify(const Instruction& i) {
  add(i.code == Code::kNotifyOne ? EventKind::kNotifyOne : EventKind::kNotifyAll, kConditions, i.target);
  std::vector<uint32_t> waiting;
  for (uint32_t t = 0; t < threads_.size(); ++t) {
    if (threads_[t].phase == Phase::kWaiting && instruction_of(t)->target == i.target) waiting.push_back(t);
  }
  if (i.code == Code::kNotifyOne && waiting.size() > 1) {
    executed_.to_choose = waiting;
    return;
  }
  for (uint32_t t : waiting) wake(t);
}

// Tests and jumps, up to the next step of the thread.
void Machine::run_local(uint32_t t) {
  Thread& thread = threads_[t];
  if (thread.phase != Phase::kIdle || thread.ended) return;
  for (;;) {
    const Instruction* i = instruction_of(t);
    if (i == nullptr) break;
    int& reg = thread.registers[static_cast<size_t>(i->reg)];
    switch (i->code) {
      case Code::kSet:
        reg = i->value;
        break;
      case Code::kAdd:
        reg += i->value;
        break;
      case Code::kSkipIf:
        if (reg == i->expected) thread.at += static_cast<size_t>(i->value);
        break;
      case Code::kSkipUnless:
        if (reg != i->expected) thread.at += static_cast<size_t>(i->value);
        break;
      case Code::kJumpIf:
        if (reg == i->expected) {
          thread.at = static_cast<size_t>(static_cast<int>(thread.at) + i->value);
          continue;
        }
        break;
      case Code::kAssertNot:
        if (reg == i->expected) {
          outcome_ = trace::OutcomeKind::kAssertion;
          over_ = true;
          return;
        }
        break;
      default:
        return;
    }
    thread.at++;
  }
  thread.ended = true;
  if (step_ != nullptr) add(EventKind::kThreadEnd, kThreads, static_cast<int>(t));
}

Operation Machine::pending_of(uint32_t t, bool looks_only) const {
  const Thread& thread = threads_[t];
  const Instruction& i = *instruction_of(t);
  const auto make = [&](EventKind kind, uint64_t object, int offset) {
    return Operation{.kind = kind,
                     .object = object,
                     .offset = static_cast<uint64_t>(offset) * 8,
                     .size = object == kVariables ? 4u : 1u,
                     .flags = looks_only ? flag::kFailed : uint16_t{0},
                     .peer = static_cast<uint32_t>(offset),
                     .statement = statement_of(t),
                     .place = statement_of(t)};
  };
  if (thread.phase == Phase::kWaiting) return make(EventKind::kCondWake, kConditions, i.target);
  if (thread.phase == Phase::kAtBarrier || thread.phase == Phase::kReleased)
    return make(EventKind::kBarrierLeave, kBarriers, i.target);
  if (thread.phase != Phase::kIdle) return make(EventKind::kLock, kMutexes, i.value);
  switch (i.code) {
    case Code::kRead:
      return make(EventKind::kRead, kVariables, address(t, i));
    case Code::kWrite:
      return make(EventKind::kWrite, kVariables, address(t, i));
    case Code::kFetchAdd:
    case Code::kExchange:
      return make(EventKind::kAtomicUpdate, kVariables, address(t, i));
    case Code::kLock:
    case Code::kTimedLock:
      return make(EventKind::kLock, kMutexes, i.target);
    case Code::kTryLock:
      return make(EventKind::kTryLock, kMutexes, i.target);
    case Code::kUnlock:
      return make(EventKind::kUnlock, kMutexes, i.target);
    case Code::kReadLock:
      return make(EventKind::kReadLock, kMutexes, i.target);
    case Code::kReadUnlock:
      return make(EventKind::kReadUnlock, kMutexes, i.target);
    case Code::kWait:
    case Code::kTimedWait:
      return make(EventKind::kCondWait, kConditions, i.target);
    case Code::kNotifyOne:
      return make(EventKind::kNotifyOne, kConditions, i.target);
    case Code::kNotifyAll:
      return make(EventKind::kNotifyAll, kConditions, i.target);
    case Code::kSemWait:
    case Code::kTimedSemWait:
      return make(EventKind::kSemWait, kSemaphores, i.target);
    case Code::kSemTryWait:
      return make(EventKind::kSemTryWait, kSemaphores, i.target);
    case Code::kSemPost:
      return make(EventKind::kSemPost, kSemaphores, i.target);
    case Code::kBarrier:
      return make(EventKind::kBarrierArrive, kBarriers, i.target);
    case Code::kFork:
      return make(EventKind::kFork, kThreads, i.target);
    case Code::kJoin:
      return make(EventKind::kJoin, kThreads, i.target);
    default:
      return make(EventKind::kExit, 0, 0);
  }
}

std::string Machine::describe() const {
  std::string text;
  // What others had done when a thread failed does not matter.
  const bool failed = outcome_ == trace::OutcomeKind::kAssertion;
  for (int value : failed ? std::vector<int>() : variables_) text += " " + std::to_string(value);
  for (uint32_t t = 0; t < threads_.size(); ++t) {
    if (failed && t != current_) continue;
    const Thread& thread = threads_[t];
    text += " |" + std::to_string(thread.at) + ":";
    for (size_t r = 0; r < kRegisters; ++r) text += std::to_string(thread.registers[r]) + ",";
  }
  return text;
}

}  // namespace heddle
