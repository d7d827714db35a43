// What heddle and the fuzzing loop in heddle-interact-host say to each other, and how it is written into
// frames (fast/host/frame.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interact/concolic/program_input.h"
#include "interact/fuzz/corpus.h"
#include "interact/fuzz/input_room.h"
#include "interact/fuzz/trace.h"

namespace heddle::fuzz {

// Once, before the first slice.
struct LoopSettings {
  Guidance guidance = Guidance::kGraph;
  uint64_t seed = 1;
  InputRoom room;
  GraphView graph;
  DistanceTable distances;
  std::vector<std::string> words;               // that the program may look for
  std::vector<concolic::ProgramInput> avoided;  // that a host was lost with
  std::vector<std::string> ignored;             // regular expressions: lines that are not compared
  uint64_t golden = 0;                          // versions behind base and head
};

struct SliceRequest {
  uint64_t milliseconds = 0;  // until the end of the budget
  uint64_t cpu_milliseconds =
      0;  // of the host; at most four times as long by the clock; 0: as long as it may
  uint64_t most_executions = ~uint64_t{0};
  std::vector<concolic::ProgramInput> seeds;
  std::vector<uint32_t> done;  // ways to differ that need not be told again
};

struct FoundDifference {
  concolic::ProgramInput input;  // as small as it got
  bool has_trace = false;        // else it is not known which changes it executes
  std::vector<uint32_t> nodes, changes;
  uint64_t at_execution = 0;
  uint32_t way = 0;
  uint64_t wrong_for = 0;     // golden versions, by bit
  bool is_new_kind = false;   // in respects that do not include the sequence
  bool damages_heap = false;  // of the head's alone
};

// An input that is new to the corpus.
struct KeptForCorpus {
  concolic::ProgramInput input;
  bool has_trace = false;
  std::vector<uint32_t> nodes, changes;
  bool has_new_step = false;  // of the graph
};

// Inputs that are alike in what change interaction errors are made of.
struct TracedInputs {
  std::vector<uint32_t> nodes, changes, repeated;
};
struct TracedCount {
  uint32_t trace = 0;
  uint32_t way = 0;  // 0: base and head behave the same
  uint64_t inputs = 0;
};

struct SliceReport {
  uint64_t executions = 0;  // all in all, of inputs
  uint64_t in_processes = 0;
  uint64_t differing = 0;
  uint64_t corpus = 0;
  uint64_t edges = 0;                           // of the head's code
  uint64_t since_new = 0;                       // executions without anything new
  bool is_exhausted = false;                    // nothing else can be made of what there is
  std::vector<TracedInputs> new_traces;         // their numbers follow those of the reports before
  std::vector<TracedCount> counts;              // since the report before
  std::vector<concolic::ProgramInput> nearest;  // to what no input has reached
};

std::string to_text(const LoopSettings& value);
std::string to_text(const SliceRequest& value);
std::string to_text(const FoundDifference& value);
std::string to_text(const KeptForCorpus& value);
std::string to_text(const SliceReport& value);
// Nothing: it is not complete.
std::optional<LoopSettings> settings_from(std::string_view text);
std::optional<SliceRequest> request_from(std::string_view text);
std::optional<FoundDifference> difference_from(std::string_view text);
std::optional<KeptForCorpus> kept_from(std::string_view text);
std::optional<SliceReport> report_from(std::string_view text);

}  // namespace heddle::fuzz
