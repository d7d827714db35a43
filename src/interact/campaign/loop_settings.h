// What the fuzzing loop is told of a program: its graph, how far each edge of its code is from the nodes, the
// shape of inputs, and words to try.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "interact/campaign/input_shape.h"
#include "interact/campaign/option_words.h"
#include "interact/fuzz/loop_messages.h"
#include "interact/program_graph.h"
#include "interact/search/directed_search.h"

namespace heddle::interact {

struct LoopSettingsRequest {
  const ProgramGraph& graph;
  const InputShape& shape;
  const std::vector<concolic::WatchedLine>& watched;  // as the head was compiled with
  const OptionWords& words;
  Guide guide = Guide::kGraph;
  uint64_t seed = 1;
  std::vector<std::string> dictionary;  // more words
  IgnoredLines ignored;
  size_t golden = 0;
  std::filesystem::path head;          // in its fast form
  std::vector<uint64_t> edge_offsets;  // there, by edge
};

fuzz::LoopSettings make_loop_settings(const LoopSettingsRequest& request);

}  // namespace heddle::interact
