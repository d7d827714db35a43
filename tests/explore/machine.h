// The machine that executes programs of the interpreter, one step at a time.
#pragma once

#include <array>

#include "interpreter.h"

namespace heddle {

class Machine {
 public:
  explicit Machine(const Program& program);

  bool is_over() const { return over_; }
  bool all_ended() const;
  trace::OutcomeKind outcome() const { return outcome_; }

  // The ways to go on. None: all have ended, or nobody can.
  std::vector<Choice> alternatives() const;

  struct Executed {
    std::vector<uint32_t> woken;      // threads that have been notified
    std::vector<uint32_t> to_choose;  // threads of which one is to be woken now
  };
  // Fills in the step's operations.
  Executed execute(ObservedStep* step);
  void wake(uint32_t thread);

  // What threads that have not ended are about to do.
  std::vector<PendingOperation> pending() const;
  std::vector<Operation> pending_operations(uint32_t thread, bool looks_only) const;

  std::string describe() const;

 private:
  static constexpr size_t kRegisters = 8;
  enum class Phase { kIdle, kWaiting, kNotified, kRelocking, kAtBarrier, kReleased };
  struct Thread {
    size_t at = 0;
    std::array<int, kRegisters> registers{};
    Phase phase = Phase::kIdle;
    bool started = true;
    bool ended = false;
  };
  struct Mutex {
    int owner = -1;
    int readers = 0;
  };

  const Instruction* instruction_of(uint32_t t) const;
  bool is_free(int mutex) const;
  bool can_run(uint32_t t) const;
  bool can_time_out(uint32_t t) const;
  void execute_instruction(uint32_t t);
  void end_wait_early(const Choice& chosen);
  void notify(const Instruction& i);
  void run_local(uint32_t t);
  void add(trace::EventKind kind, uint64_t object, int offset, uint16_t flags = 0, uint32_t peer = 0);
  uint32_t value_of_semaphore(int semaphore) const;
  uint64_t statement_of(uint32_t t) const;
  int address(uint32_t t, const Instruction& i) const;
  Operation pending_of(uint32_t t, bool looks_only = false) const;

  const Program& program_;
  std::vector<Thread> threads_;
  std::vector<int> variables_;
  std::vector<int> semaphores_;
  std::vector<Mutex> mutexes_;
  std::vector<int> arrived_;  // at each barrier
  uint32_t current_ = 0;
  bool over_ = false;
  trace::OutcomeKind outcome_ = trace::OutcomeKind::kOk;
  ObservedStep* step_ = nullptr;  // that is being executed
  Executed executed_;
};

}  // namespace heddle
