#include "random_program.h"

#include <random>

namespace heddle {
namespace {

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  Program make() {
    Program program;
    program.variables.assign(2, 0);
    program.semaphores.assign(1, below(3));
    program.mutexes = 2;
    program.spurious = below(12) == 0;
    flavour_ = below(4);
    const int threads = 2 + below(3);
    const int length = threads == 2 ? 5 : threads == 3 ? 3 : 2;
    for (int t = 0; t < threads; ++t) program.threads.push_back(make_thread(1 + below(length)));
    if (below(4) == 0) join_last(&program);
    if (below(6) == 0) meet(&program);
    return program;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }

  // Thread 0 creates the last one and waits for its end.
  void join_last(Program* program) {
    auto& first = program->threads[0];
    const int last = static_cast<int>(program->threads.size()) - 1;
    first.insert(first.begin(), on(Code::kFork, last));
    first.push_back(on(Code::kJoin, last));
  }

  // The first two threads meet at a barrier at their ends, and then do something more.
  void meet(Program* program) {
    for (size_t t = 0; t < 2; ++t) {
      program->threads[t].push_back(on(Code::kBarrier, 0, 2, 4));
      add_access(&program->threads[t]);
    }
  }

  std::vector<Instruction> make_thread(int length) {
    std::vector<Instruction> code;
    while (static_cast<int>(code.size()) < length) add_something(&code);
    return code;
  }

  void add_access(std::vector<Instruction>* code) {
    const int variable = below(2);
    const int reg = below(4);
    switch (below(6)) {
      case 0:
      case 1:
        code->push_back(read(variable, reg));
        break;
      case 2:
        code->push_back(write(variable, 1 + below(2)));
        break;
      case 3:
        code->push_back({.code = Code::kFetchAdd, .target = variable, .value = 1, .reg = reg});
        break;
      case 4:
        code->push_back(
            {.code = Code::kExchange, .target = variable, .value = 2, .reg = reg, .expected = below(2)});
        break;
      default:
        code->push_back({.code = Code::kWrite, .target = variable, .value = 1, .from = below(4)});
        break;
    }
  }

  // The body of a critical section.
  void add_body(std::vector<Instruction>* code, int mutex) {
    switch (below(flavour_ == 1 ? 5 : 3)) {
      case 0:
        break;
      case 1:
      case 2:
        add_access(code);
        break;
      case 3:
        code->push_back(on(below(3) == 0 ? Code::kTimedWait : Code::kWait, 0, mutex, 7));
        break;
      default:
        code->push_back(on(below(2) == 0 ? Code::kNotifyOne : Code::kNotifyAll, 0));
        break;
    }
  }

  void add_section(std::vector<Instruction>* code) {
    const int mutex = below(2);
    const int form = below(6);
    if (form == 0) {
      code->push_back(on(Code::kReadLock, mutex));
      add_access(code);
      code->push_back(on(Code::kReadUnlock, mutex));
      return;
    }
    const bool may_fail = form == 1 || form == 2;
    std::vector<Instruction> body;
    add_body(&body, mutex);
    // Locks nested in both orders can deadlock.
    if (below(4) == 0) {
      body.push_back(on(Code::kLock, 1 - mutex));
      body.push_back(on(Code::kUnlock, 1 - mutex));
    }
    body.push_back(on(Code::kUnlock, mutex));
    if (may_fail) {
      code->push_back(on(form == 1 ? Code::kTryLock : Code::kTimedLock, mutex, 0, 6));
      code->push_back(
          {.code = Code::kSkipIf, .value = static_cast<int>(body.size()), .reg = 6, .expected = 0});
    } else {
      code->push_back(on(Code::kLock, mutex));
    }
    code->insert(code->end(), body.begin(), body.end());
  }

  void add_something(std::vector<Instruction>* code) {
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
        add_access(code);
        break;
      case 3:
        if (flavour_ != 2) return add_access(code);
        code->push_back(on(below(4) == 0   ? Code::kSemTryWait
                           : below(4) == 0 ? Code::kTimedSemWait
                                           : Code::kSemWait,
                           0, 0, 5));
        break;
      case 4:
        if (flavour_ != 2) return add_access(code);
        code->push_back(on(Code::kSemPost));
        break;
      case 5: {  // depends on a value
        const int reg = below(4);
        code->push_back(read(below(2), reg));
        code->push_back({.code = Code::kSkipIf, .value = 1, .reg = reg, .expected = below(2)});
        add_access(code);
        break;
      }
      case 6: {  // fails for some value
        if (below(2) == 0) return add_access(code);
        const int reg = below(4);
        code->push_back(read(below(2), reg));
        code->push_back({.code = Code::kAssertNot, .reg = reg, .expected = 1 + below(3)});
        break;
      }
      case 7:
        if (below(6) == 0)
          code->push_back(on(Code::kExit));
        else if (flavour_ == 1)
          code->push_back(on(below(2) == 0 ? Code::kNotifyOne : Code::kNotifyAll, 0));
        else
          add_access(code);
        break;
      default:
        if (flavour_ == 0) return add_access(code);
        add_section(code);
        break;
    }
  }

  std::mt19937 random_;
  int flavour_ = 0;
};

}  // namespace

Program random_program(uint32_t seed) {
  return Maker(seed).make();
}

}  // namespace heddle
