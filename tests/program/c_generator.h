// The generator behind random_c_program(): one pass that writes text, by random choices.
//
// What keeps the programs free of undefined behaviour:
// * numbers are unsigned, indices are taken modulo the length, divisors are odd;
// * an expression has no effect, and a call is the only thing of its statement that could see another's;
// * pointers are "long" (to what lives as long as the program) or "short" (also to the function's locals, and
//   what its callers have given it). What lives long keeps only long ones;
// * all locals are declared, with a value, where the function begins: no jump passes one;
// * loops count by variables that nothing else changes; functions call those before them, or themselves with
//   a depth that falls.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace heddle::program {

class Generator {
 public:
  Generator(uint32_t seed, std::string prefix) : random_(seed * 2654435761u + 1), p_(std::move(prefix)) {}

  std::string run();

 private:
  enum class Shape { kNumber, kPointer, kThrough, kDeep, kStruct, kUnion };
  struct Callee {
    std::string name;
    Shape shape;
  };

  uint32_t pick(uint32_t count) { return static_cast<uint32_t>(random_() % count); }
  bool chance(uint32_t percent) { return pick(100) < percent; }
  std::string one_of(std::initializer_list<std::string> options) {
    return options.begin()[pick(static_cast<uint32_t>(options.size()))];
  }
  std::string number(uint32_t below) { return std::to_string(pick(below)); }
  void line(const std::string& text) { text_ += std::string(2 * indent_, ' ') + text + "\n"; }

  std::string shuffled(std::vector<std::string> parts) {
    std::string result;
    while (!parts.empty()) {
      const uint32_t at = pick(static_cast<uint32_t>(parts.size()));
      result += parts[at] + " ";
      parts.erase(parts.begin() + at);
    }
    return result;
  }

  // --- declarations
  void types();
  void globals();
  void locals();
  void function(uint32_t index);
  void main();

  // --- expressions
  std::string node_object();
  std::string place(uint32_t depth);
  std::string expression(uint32_t depth);
  std::string condition() { return expression(1 + pick(2)); }

  std::string long_pointer();
  std::string short_pointer();
  std::string long_node();
  std::string short_node() { return one_of({"n0", "&ls", "n0->next", "ls.next", long_node(), long_node()}); }

  // --- statements
  void leave(bool at_end);
  void body(uint32_t statements);
  void again(uint32_t statements);
  void block(uint32_t statements);
  void statement();
  void assign();
  void assign_pointer();
  void memory();
  void call(const Callee& callee);
  void branch();
  void loop();
  void cases();
  void jump();

  std::mt19937 random_;
  std::string p_;
  std::string text_;
  size_t indent_ = 0;
  uint32_t depth_ = 0;  // of loops, those by goto included
  uint32_t loops_ = 0;  // that break and continue can mean
  uint32_t switches_ = 0;
  uint32_t backward_ = 0;
  uint32_t next_label_ = 0;
  bool may_call_pointers_ = false;
  Shape returned_ = Shape::kNumber;
  std::vector<Callee> callees_;
  std::vector<std::string> targets_;
};

}  // namespace heddle::program
