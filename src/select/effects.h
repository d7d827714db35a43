// Effects: what operations do to shared memory. What a library does on behalf of the program (a container's
// member functions, say) counts as done by the call.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "program/analyses.h"
#include "select/shared_variable.h"

namespace heddle::select {

struct Effect {
  program::Pointee memory;
  uint64_t size = 0;  // of a copy; 0: one field
  bool is_write = false;
  bool is_atomic = false;

  auto operator<=>(const Effect&) const = default;
};

// Not the project's: its functions have no history of their own.
bool is_of_a_library(const program::Function& function);

class Effects {
 public:
  // All must outlive this.
  Effects(const program::Program& program, const program::PointsTo& points_to, const program::Escape& escape);

  // Sorted. Locks and other operations that order threads have none.
  std::vector<Effect> of(const program::OpId& id, const program::Op& op);
  // Calls that acquire, release, or order threads otherwise.
  bool is_synchronisation(program::FunctionIndex caller, const program::Op& op);

 private:
  void add_own(const program::OpId& id, const program::Op& op, std::vector<Effect>& effects) const;
  void add_access(program::FunctionIndex function, program::ValueId address, const Effect& kind,
                  std::vector<Effect>& effects) const;
  const std::vector<Effect>& of_library_function(program::FunctionIndex function);
  bool is_synchronisation(program::FunctionIndex function);
  // Objects that can be reached from what the arguments point to.
  const std::vector<bool>& reachable(const program::OpId& id, const program::Op& op);
  const std::vector<program::ObjectId>& held_by(program::ObjectId object);

  const program::Program& program_;
  const program::PointsTo& points_to_;
  const program::Escape& escape_;
  std::unordered_map<program::FunctionIndex, std::vector<Effect>> library_;
  std::map<std::vector<program::ObjectId>, std::vector<bool>> reachable_;  // by what is pointed to
  std::unordered_map<program::ObjectId, std::vector<program::ObjectId>> held_by_;
  std::unordered_map<uint32_t, bool> synchronisation_;  // by global symbol
};

}  // namespace heddle::select
