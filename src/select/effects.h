// Effects: what operations do to shared memory. What a library does on behalf of the program (a container's
// member functions, say) counts as done by the call.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "program/analyses.h"
#include "select/access_paths.h"
#include "select/shared_variable.h"

namespace heddle::select {

struct Effect {
  // As in Path. Contents of what is known are "X[]"; else they have their size only: "[]4". Objects of a
  // library's classes are their class. Empty: all of the root.
  std::string leaf;
  std::string root;
  bool is_own = false;  // the leaf is a variable of the program, not of a library
  bool is_write = false;
  bool is_atomic = false;

  auto operator<=>(const Effect&) const = default;
};

class Effects {
 public:
  // All must outlive this.
  Effects(const program::Program& program, const program::PointsTo& points_to, const program::Escape& escape);

  // Of an operation of the function that `paths` knows. Locks and other operations that order threads have
  // none.
  std::vector<Effect> of(const program::OpId& id, const program::Op& op, const AccessPaths& paths);

 private:
  using Set = std::set<Effect>;

  bool is_synchronisation(program::FunctionIndex caller, const program::Op& op);
  bool is_synchronisation(program::FunctionIndex function);
  void add_own(const program::OpId& id, const program::Op& op, const AccessPaths& paths, Set& effects) const;
  void add_call(const program::OpId& id, const program::Op& op, const AccessPaths& paths, Set& effects);
  struct Inside {
    std::set<uint64_t> read;  // sizes
    std::set<uint64_t> written;
    bool reads = false;
    bool writes = false;
    bool is_atomic = true;  // all of it
  };
  const Inside& of_library_function(program::FunctionIndex function);
  const std::string& class_of(program::FunctionIndex function);
  bool may_be_pointer(program::FunctionIndex function, program::ValueId value) const;

  const program::Program& program_;
  const program::PointsTo& points_to_;
  const program::Escape& escape_;
  std::unordered_map<program::FunctionIndex, Inside> library_;  // with all that it calls
  std::unordered_map<program::FunctionIndex, std::string> classes_;
  std::unordered_map<uint32_t, bool> synchronisation_;  // by global symbol
};

}  // namespace heddle::select
