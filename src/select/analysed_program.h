// A program with what is known of it.
#pragma once

#include <vector>

#include "program/analyses.h"
#include "select/calls.h"

namespace heddle::select {

struct AnalysedProgram {
  // `of` must outlive this.
  explicit AnalysedProgram(const program::Program& of)
      : program(of), points_to(of), regions(program::locked_regions(of, points_to)), calls(of, points_to) {}
  AnalysedProgram(const AnalysedProgram&) = delete;
  AnalysedProgram& operator=(const AnalysedProgram&) = delete;

  const program::Program& program;
  const program::PointsTo points_to;
  const std::vector<program::LockedRegion> regions;
  const Calls calls;
};

}  // namespace heddle::select
