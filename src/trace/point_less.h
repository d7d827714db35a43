// An order of scheduling points, for sets of them.
#pragma once

#include <tuple>

#include "trace/layout.h"

namespace heddle::trace {

struct PointLess {
  bool operator()(const PointRecord& a, const PointRecord& b) const {
    return std::tie(a.kind, a.key, a.offset, a.length, a.grade) <
           std::tie(b.kind, b.key, b.offset, b.length, b.grade);
  }
};

}  // namespace heddle::trace
