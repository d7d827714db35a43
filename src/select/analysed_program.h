// A program with what is known of it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "program/analyses.h"
#include "select/calls.h"

namespace heddle::select {

// Who calls whom, and where locks are held: all that is asked of the version before the change.
struct ProgramStructure {
  // `of` must outlive this.
  ProgramStructure(const program::Program& of, std::shared_ptr<const program::CallGraph> graph,
                   std::vector<program::LockedRegion> locked)
      : program(of), call_graph(std::move(graph)), regions(std::move(locked)), calls(of, *call_graph) {}
  ProgramStructure(const ProgramStructure&) = delete;
  ProgramStructure& operator=(const ProgramStructure&) = delete;

  const program::Program& program;
  const std::shared_ptr<const program::CallGraph> call_graph;
  const std::vector<program::LockedRegion> regions;
  const Calls calls;
};

struct AnalysedProgram : ProgramStructure {
  explicit AnalysedProgram(const program::Program& of) : AnalysedProgram(of, program::PointsTo(of)) {}

  const program::PointsTo points_to;

 private:
  AnalysedProgram(const program::Program& of, const program::PointsTo& pointers)
      : ProgramStructure(of, pointers.call_graph(), program::locked_regions(of, pointers)),
        points_to(pointers) {}
};

}  // namespace heddle::select
