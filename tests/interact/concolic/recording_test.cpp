// What a program may have done to its record, and how solutions become inputs.
#include "interact/concolic/recording.h"

#include <cstring>

#include <gtest/gtest.h>

#include "recording_builder.h"

namespace heddle::concolic {
namespace {

// An arena with one input, one constant, their comparison and its branch.
std::vector<unsigned char> small_arena() {
  RecordingBuilder builder;
  builder.branch(0, builder.is_character(builder.input(0, 'a'), 'x'));
  const Recording recording = builder.take();
  ArenaHeader header{};
  header.magic = kArenaMagic;
  header.node_capacity = header.event_capacity = 8;
  header.node_count = static_cast<uint32_t>(recording.nodes.size());
  header.event_count = 1;
  const ArenaLayout layout = arena_layout(8, 8, 0, 0);
  std::vector<unsigned char> arena(layout.size);
  std::memcpy(arena.data(), &header, sizeof(header));
  std::memcpy(arena.data() + layout.nodes, recording.nodes.data(), recording.nodes.size() * sizeof(Node));
  std::memcpy(arena.data() + layout.events, recording.events.data(), sizeof(Event));
  return arena;
}

TEST(Recording, IsReadFromAnArena) {
  const Expected<Recording> recording = read_recording(small_arena(), 1);
  ASSERT_TRUE(recording) << recording.error().message;
  EXPECT_EQ(recording->events.size(), 1U);
  EXPECT_EQ(recording->nodes.size(), 4U);
}

// Whatever is written over, the reader neither crashes nor lets through what cannot be.
TEST(Recording, SurvivesDamage) {
  const std::vector<unsigned char> arena = small_arena();
  for (size_t at = 0; at < arena.size(); ++at) {
    for (const unsigned char value : {0x00, 0x03, 0x7f, 0xff}) {
      std::vector<unsigned char> damaged = arena;
      damaged[at] = value;
      const Expected<Recording> recording = read_recording(damaged, 1);
      if (!recording) continue;
      for (const Event& event : recording->events) {
        ASSERT_LT(event.condition, recording->nodes.size());
        ASSERT_LT(event.site, 1U);
      }
    }
  }
  EXPECT_FALSE(read_recording({}, 1));
  EXPECT_FALSE(read_recording(arena, 0));
}

TEST(ProgramInput, GrowsAndShrinksWithItsValues) {
  const InputPlace first{make_source(SourceKind::kArgument, 1), 0};
  const ProgramInput input{{"ab", "c"}, "in", ""};
  EXPECT_EQ(with_values(input, {{{first.source, 2}, 'z'}}, {}).arguments[0], "abz");
  EXPECT_EQ(with_values(input, {{{first.source, 1}, 0}}, {}).arguments[0], "a");
  EXPECT_EQ(with_values(input, {{{make_source(SourceKind::kArgumentCount, 0), 0}, 4}}, {}).arguments,
            (std::vector<std::string>{"ab", "c", ""}));
  const Assignment longer = {{{make_source(SourceKind::kStandardInputSize, 0), 0}, 4},
                             {{make_source(SourceKind::kStandardInput, 0), 3}, '!'}};
  EXPECT_EQ(with_values(input, longer, {.grows_with = '_'}).standard_input, "in_!");
  // Beyond the limits nothing is cut off in the middle of a value.
  EXPECT_EQ(with_values(input, {{{make_source(SourceKind::kStandardInputSize, 0), 0}, 1U << 30}},
                        {.longest_standard_input = 5})
                .standard_input.size(),
            5U);
}

}  // namespace
}  // namespace heddle::concolic
