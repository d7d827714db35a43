// Recordings made by hand.
#pragma once

#include "interact/concolic/arithmetic.h"
#include "interact/concolic/recording.h"

namespace heddle::concolic {

class RecordingBuilder {
 public:
  RecordingBuilder() { recording_.nodes.emplace_back(); }

  uint32_t constant(uint8_t width, uint64_t value) {
    return add({Operation::kConstant, width, 0, 0, 0, 0, value});
  }
  // A character of the first argument.
  uint32_t input(uint32_t offset, char value) {
    return add({Operation::kInput, 8, 0, make_source(SourceKind::kArgument, 1), offset, 0,
                static_cast<unsigned char>(value)});
  }
  uint32_t binary(Operation operation, uint32_t a, uint32_t b) {
    const Node& first = recording_.nodes[a];
    const bool is_predicate = operation >= Operation::kEq && operation <= Operation::kSMulOverflow;
    const uint8_t width = is_predicate ? uint8_t{1} : first.width;
    const uint64_t value = compute(operation, width, first.width, first.value, recording_.nodes[b].value, 0);
    return add({operation, width, 0, a, b, 0, value});
  }
  uint32_t extended(uint32_t a) { return add({Operation::kZExt, 64, 0, a, 0, 0, recording_.nodes[a].value}); }
  uint32_t is_character(uint32_t character, char value) {
    return binary(Operation::kEq, character, constant(8, static_cast<unsigned char>(value)));
  }
  void branch(uint32_t site, uint32_t condition, SiteKind kind = SiteKind::kBranch) {
    recording_.events.push_back(
        {site, condition, 0, kind, static_cast<uint8_t>(recording_.nodes[condition].value), 0, 0});
  }
  Recording take() { return recording_; }

 private:
  uint32_t add(Node node) {
    recording_.nodes.push_back(node);
    return static_cast<uint32_t>(recording_.nodes.size() - 1);
  }

  Recording recording_;
};

}  // namespace heddle::concolic
