// AccessPaths: which memory an address means, by how the program gets at it.
//
// In real programs, every object that a test framework or the thread library has seen may be meant by any
// pointer that they give back, and what pointers may point to tells little. How memory is reached tells more:
// two accesses to fields mean the same memory only if it is the same field of the same class.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/program.h"

namespace heddle::select {

// Memory that is told apart.
struct Path {
  std::string leaf;  // "Cache::size_", "counter", "local main::total"; "[]": what `root` leads to
  // The field that it is a part of, or the container or pointer whose contents it is. Empty: not known, any.
  std::string root;
  bool is_embedded = false;  // part of the object that it was reached through, not behind a pointer

  bool is_known() const { return !leaf.empty(); }
  bool is_contents() const { return leaf == "[]"; }
  // "Cache::size_", "Cache::table_[]".
  std::string text() const { return is_contents() ? root + "[]" : leaf; }
  auto operator<=>(const Path&) const = default;
};

// "Queue::size_", of the class that declares it; empty if it is not known.
std::string field_name(const program::Program& program, const program::Unit& unit, uint32_t type,
                       int64_t offset);

// Not the project's: its functions have no history of their own.
bool is_of_a_library(const program::Function& function);

// Answers for the addresses of one function.
class AccessPaths {
 public:
  AccessPaths(const program::Program& program, program::FunctionIndex function);

  Path of(program::ValueId address) const;
  // Whether it is, or is in, the object that the member function was called on.
  bool is_in_this(program::ValueId address) const;
  // Whether nobody else can write to it: it cannot be written at all, or is in a variable of the function
  // whose address is kept nowhere, and given to libraries only, which do not keep it.
  bool is_private(program::ValueId address) const;
  // If so many bytes there are a whole object of a class, the fields that it has.
  std::vector<Path> fields_of_object(program::ValueId address, uint64_t size) const;

 private:
  std::optional<program::Program::ClassType> class_at(program::ValueId address, int depth) const;
  void add_fields(const program::Program::ClassType& of, const std::string& root, int depth,
                  std::vector<Path>& fields) const;
  const program::Op* made_by(program::ValueId value) const;
  Path of(program::ValueId address, int depth) const;
  Path of_loaded(const program::Op& load, int depth) const;
  Path of_result(const program::Op& call, int depth) const;
  std::optional<program::ValueId> local_of(program::ValueId address) const;
  void find_exposed();
  bool is_constant(program::ValueId address) const;
  bool notes_parameter(const program::Op& store) const;
  bool gives_away(const program::Op& call, size_t operand) const;
  bool is_of_a_library(const program::Op& call) const;
  // What the pointers point to that the function stores in its local variable, if it is one thing.
  Path held_by(program::ValueId local, int depth) const;
  std::optional<uint32_t> parameter_in(program::ValueId local) const;

  const program::Program& program_;
  const program::Unit& unit_;
  const program::Function& function_;
  std::vector<const program::Op*> made_by_;
  std::vector<std::vector<program::ValueId>> stored_;  // per value that is a kLocal
  std::vector<bool> exposed_;                          // likewise
  std::vector<uint32_t> uses_;                         // of each value, as an operand
};

// For people: "ns::Cache<int, std::less<int>>::size_" is "Cache::size_".
std::string short_name(const std::string& qualified);

}  // namespace heddle::select
