#include "random_facts.h"

#include <random>

#include "facts_builder.h"

namespace heddle::program {
namespace {

constexpr uint64_t kSizes[] = {8, 8, 24, 32, 48};

class Generator {
 public:
  Generator(uint32_t seed, const RandomFacts& shape) : random_(seed), shape_(shape) {}

  Program run() {
    for (uint32_t i = 0; i < shape_.functions; ++i)
      names_.push_back(i == 0 ? "main" : "f" + std::to_string(i));
    for (const std::string& name : names_) unit_.function(name);
    for (uint32_t i = 0; i < 3; ++i) {
      const uint64_t size = kSizes[below(5)];
      globals_.push_back({unit_.global("g" + std::to_string(i), size), size});
    }
    for (uint32_t i = 0; i < shape_.functions; ++i) make_function(i);
    return unit_.program();
  }

 private:
  struct Variable {
    uint32_t id;  // value or symbol
    uint64_t size;
  };

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  void make_function(uint32_t index) {
    const uint32_t parameters = index == 0 ? 0 : 1 + index % 2;
    FunctionBuilder f(unit_, names_[index], parameters);
    f_ = &f;
    locals_.clear();
    loops_.clear();
    if (below(2)) f.node("prologue");
    for (uint32_t i = 0; i < 3 + below(3); ++i) {
      const uint64_t size = kSizes[below(5)];
      locals_.push_back({f.local(size, "v"), size});
    }
    for (uint32_t i = 0; i < parameters; ++i) {
      const ValueId spilled = f.local(8, "p");
      f.store(spilled, f.parameter(i));
      locals_.push_back({spilled, 8});
    }
    statements(shape_.statements, 0);
    f.node("return");
    f.ret(expression(0));
    f.done();
  }

  void statements(uint32_t count, uint32_t depth) {
    for (uint32_t i = 0; i < count; ++i) statement(depth);
  }

  // An address of some variable, field or element, or what a pointer holds.
  ValueId address(uint32_t depth) {
    switch (below(depth > 2 ? 4 : 7)) {
      case 0:
      case 1: {
        const Variable& variable = locals_[below(static_cast<uint32_t>(locals_.size()))];
        return part(variable.id, variable.size);
      }
      case 2:
      case 3: {
        const Variable& variable = globals_[below(static_cast<uint32_t>(globals_.size()))];
        return part(f_->symbol(variable.id), variable.size);
      }
      case 4:
      case 5:
        return f_->load(address(depth + 1));
      default:
        return part(f_->load(address(depth + 1)), 48);
    }
  }

  ValueId part(ValueId base, uint64_t size) {
    if (size == 8) return base;
    switch (below(5)) {
      case 0:
        return f_->offset(base, 8 * below(static_cast<uint32_t>(size / 8)));
      case 1:
        return f_->element(base, f_->constant(), 8);
      case 2:
        return f_->offset(f_->element(base, f_->constant(), 16), 8);
      case 3:
        return f_->offset(f_->offset(base, 16), -8);
      default:
        return base;
    }
  }

  ValueId expression(uint32_t depth) {
    switch (below(depth > 2 ? 4 : 9)) {
      case 0:
        return f_->constant();
      case 1:
        return address(depth + 1);
      case 2:
        return f_->load(address(depth + 1), below(4) == 0 ? 4 : 8);
      case 3:
        return f_->symbol(unit_.function(names_[below(shape_.functions)]));
      case 4:
        return f_->compute({expression(depth + 1), expression(depth + 1)});
      case 5:
        return f_->call(names_[below(shape_.functions)], {expression(depth + 1), address(depth + 1)});
      case 6:
        return f_->call_value(f_->load(address(depth + 1)), {address(depth + 1)});
      case 7:
        return f_->call("malloc", {f_->constant()});
      default:
        return f_->load(address(depth + 1));
    }
  }

  void statement(uint32_t depth) {
    if (below(12) == 0) {
      f_->in_node(kNone);
    } else {
      f_->node("statement");
    }
    const uint32_t kind = below(depth > 2 ? 10 : 16);
    if (kind < 6) {
      const ValueId value = expression(0);
      f_->store(address(0), value, below(6) == 0 ? 4 : 8);
    } else if (kind == 6) {
      f_->update(address(0), expression(1));
    } else if (kind == 7) {
      const ValueId from = address(1);
      f_->copy(address(1), from, 8 * (below(3) == 0 ? 1 + below(3) : 1));
    } else if (kind == 8) {
      if (below(2)) {
        f_->fill(address(1), f_->constant(), 8 * (below(3) == 0 ? 1 + below(3) : 1));
      } else {
        f_->store(address(0), f_->local(16, "fresh"));
      }
    } else if (kind == 9) {
      if (shape_.with_threads) {
        f_->call("pthread_create",
                 {address(1), f_->constant(),
                  f_->symbol(unit_.function(names_[1 + below(shape_.functions - 1)])), address(0)});
      } else {
        leave(depth);
      }
    } else if (kind < 13) {
      choice(depth);
    } else {
      loop(depth);
    }
  }

  // break, continue or return, under a condition.
  void leave(uint32_t depth) {
    const uint32_t away = f_->block(), after = f_->block();
    f_->branch(expression(1), away, after);
    f_->at(away);
    f_->node("leave");
    if (!loops_.empty() && below(3) != 0) {
      f_->constant();
      f_->jump(below(2) ? loops_.back().first : loops_.back().second);
    } else {
      f_->ret(expression(2));
    }
    f_->at(after);
    statements(depth > 2 ? 0 : 1, depth + 1);
  }

  void choice(uint32_t depth) {
    const uint32_t first = f_->block(), second = f_->block(), third = f_->block(), after = f_->block();
    f_->branch(expression(1), first, below(3) == 0 ? after : second);
    if (below(4) == 0) f_->edge(third, "default");
    for (uint32_t block : {first, second, third}) {
      f_->at(block);
      statements(1 + below(3), depth + 1);
      f_->jump(after);
    }
    f_->at(after);
  }

  void loop(uint32_t depth) {
    const uint32_t head = f_->block(), body = f_->block(), after = f_->block();
    f_->constant();
    f_->jump(head);
    f_->at(head);
    f_->node("loop");
    if (below(20) == 0) {
      f_->constant();
      f_->jump(body);  // without end, unless something in it leaves
    } else {
      f_->branch(expression(1), body, after);
    }
    f_->at(body);
    loops_.push_back({head, after});
    statements(1 + below(3), depth + 1);
    loops_.pop_back();
    f_->jump(head);
    f_->at(after);
  }

  std::mt19937 random_;
  const RandomFacts& shape_;
  UnitFacts unit_;
  FunctionBuilder* f_ = nullptr;
  std::vector<std::string> names_;
  std::vector<Variable> globals_;
  std::vector<Variable> locals_;
  std::vector<std::pair<uint32_t, uint32_t>> loops_;
};

}  // namespace

Program random_program(uint32_t seed, const RandomFacts& shape) {
  return Generator(seed, shape).run();
}

}  // namespace heddle::program
