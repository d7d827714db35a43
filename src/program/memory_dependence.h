// MemoryDependence: who may read what who has written.
//
// A local variable that is used by its own address in its own function is followed in the order of execution
// (reaching_definitions.h). All else is not: whoever may read a place depends on whoever may write there.
// The two meet in an address-taken local: an access by address sees all accesses through pointers, and
// pointers see all of them; recursion does no harm, since an activation's own address means its own variable.
#pragma once

#include <vector>

#include "program/dependence_graph.h"
#include "program/externals.h"
#include "program/reaching_definitions.h"

namespace heddle::program {

class MemoryDependence {
 public:
  MemoryDependence(const Program& program, const PointsTo& points_to, Vertices& vertices,
                   std::vector<DependenceEdge>& edges);

  void add_function(FunctionIndex function, const std::vector<std::vector<uint32_t>>& op_vertices);
  void finish();
  // Helpers for code outside the program: it depends on `outside_reads`, `outside_writes` depends on it.
  uint32_t outside_reads() const { return outside_reads_; }
  uint32_t outside_writes() const { return outside_writes_; }

 private:
  struct Access {
    ObjectId object;
    ByteRange bytes;
    uint32_t vertex;
    bool by_address;  // of the variable itself
    bool reads;
    bool writes;
  };
  struct Address {
    uint32_t local = kNone;  // value of the kLocal
    ObjectId object = kNone;
    int64_t offset = 0;
    bool is_exact = true;
  };
  void add_op(const OpId& id, const Op& op, uint32_t vertex);
  void access(const OpId& id, ValueId address, uint64_t size, bool reads, bool writes, uint32_t vertex);
  void through_pointer(FunctionIndex function, ValueId address, uint64_t size, bool reads, bool writes,
                       uint32_t vertex);
  void add_external(const OpId& id, const Op& op, const ExternalModel& model, uint32_t vertex);
  void connect(std::vector<Access>::iterator first, std::vector<Access>::iterator last);
  ByteRange canonical(ObjectId object, int64_t offset, uint64_t size) const;
  void add_edge(uint32_t from, uint32_t to) { edges_.push_back({from, to, Dependence::Kind::kData}); }

  const Program& program_;
  const PointsTo& points_to_;
  Vertices& vertices_;
  std::vector<DependenceEdge>& edges_;
  uint32_t outside_reads_;
  uint32_t outside_writes_;
  std::vector<Access> accesses_;
  std::vector<Address> addresses_;  // of the function's values
  std::vector<LocalAccess> locals_;
};

}  // namespace heddle::program
