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
#include "select/analysed_program.h"
#include "select/library_effects.h"
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
  // Both must outlive this.
  Effects(const AnalysedProgram& program, const program::Escape& escape);

  // Of an operation of the function that `paths` knows. Locks and other operations that order threads have
  // none.
  std::vector<Effect> of(const program::OpId& id, const program::Op& op, const AccessPaths& paths);

 private:
  using Set = std::set<Effect>;

  void add_own(const program::OpId& id, const program::Op& op, const AccessPaths& paths, Set& effects) const;
  void add_call(const program::OpId& id, const program::Op& op, const AccessPaths& paths, Set& effects);
  static void add_inside(const std::string& place, const std::string& of_class, const LibraryEffect& inside,
                         Set& effects);
  const std::string& class_of(program::FunctionIndex function);
  bool may_be_pointer(program::FunctionIndex function, program::ValueId value) const;

  const program::Program& program_;
  const program::PointsTo& points_to_;
  const program::Escape& escape_;
  LibraryEffects library_;
  std::unordered_map<program::FunctionIndex, std::string> classes_;
};

}  // namespace heddle::select
