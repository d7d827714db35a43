// Report: everything that a command has to tell when it ends. All reporters are fed from it.
//
// It is plain data: names instead of numbers, nothing that lives only as long as a trace. What `--json`
// writes of it is enough to make it again (read_report), but for the evidence of its findings, for which
// their schedules are replayed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/evidence.h"
#include "report/run_result.h"

namespace heddle {

struct ReportedRevision {
  std::string name;    // as the user said it: "main", "the working tree"
  std::string commit;  // empty if there is none
  bool is_working_tree = false;
  double build_seconds = 0;
  bool build_cached = false;
};

// What became of a test.
enum class TestFate {
  kPassed,
  kFailed,       // shows findings, new or known
  kNotSelected,  // the change does not concern it
  kNotReached,   // for lack of time
  kUnusable,     // heddle cannot run it
  kTrouble,      // heddle lost sight of it
  kGone,         // the base has it, the head has not
};

const char* to_text(TestFate fate);

struct ReportedTest {
  std::string name;
  TestFate fate = TestFate::kPassed;
  bool is_selected = true;
  std::vector<std::string> reasons;  // why it is selected or not, why it is unusable, what trouble there was
  uint64_t executions = 0;
  double seconds = 0;
  bool is_complete = true;            // under all schedules that were to be tried
  bool was_tried_before = false;      // an earlier run has found it clean
  bool is_plain = false;              // executed once, for ordinary faults
  std::vector<std::string> findings;  // fingerprints
};

struct ReportedFunction {
  std::string name;
  uint32_t line = 0;  // in the head; 0: it is gone
  uint32_t end = 0;   // its last line
  std::string how;    // "added", "removed", "changed"
};

// A part of the change map.
struct ReportedFile {
  std::string path;                     // of the head; of the base if it is gone
  std::string old_path;                 // if it is another one
  std::string how;                      // "added", "removed", "changed"
  std::vector<uint32_t> changed_lines;  // of the head
  std::vector<ReportedFunction> functions;
  std::vector<uint32_t> impacted_lines;  // with accesses that can take part in new interleavings
  uint64_t impacted_accesses = 0;
};

// The change sequence graph.
struct ReportedGraph {
  struct Node {
    std::string kind;  // "change", "interaction", "output"
    SourceLine place;
    bool is_reached = false;
  };
  struct Edge {
    size_t from = 0;  // of nodes
    size_t to = 0;
    bool is_reached = false;  // an input went along it
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

// How far it was at a moment, for charts.
struct ReportedCount {
  double seconds = 0;  // since the command began
  uint64_t executions = 0;
  uint64_t findings = 0;
  uint64_t coverage = 0;  // what the search counts: orders of accesses, covered blocks; 0 if it does not
};

struct ReportedStage {
  std::string name;  // "build", "select", "explore"
  double seconds = 0;
};

struct Report {
  RunResult result;     // with the findings; they carry their evidence
  std::string root;     // what relative paths are below; absolute
  std::string verdict;  // in one sentence
  std::string error;    // why there is no result; empty if there is one
  bool is_interrupted = false;
  std::optional<ReportedRevision> base;
  std::optional<ReportedRevision> head;
  std::vector<ReportedTest> tests;
  std::vector<ReportedFile> change;
  std::optional<ReportedGraph> graph;
  std::vector<ReportedCount> counts;  // by time
  std::vector<ReportedStage> stages;  // in order
  std::vector<std::string> notes;     // what limits the result, in a sentence each
};

// The file of `--json`: the result with all that is here, without evidence.
nlohmann::ordered_json to_json(const Report& report);
// The other way. Says what is wrong if it is not a result of heddle.
Expected<Report> read_report(const nlohmann::json& json);

}  // namespace heddle
