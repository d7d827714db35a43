// Which requirements two calls are likely to show, by hand-written footprints. Keys are those of what
// prediction would find.
#include "generate/likely_requirements.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "generate/keys.h"
#include "generate/requirements.h"

namespace heddle::generate {
namespace {

constexpr uint64_t kObject = 1;
constexpr uint64_t kSizeField = 0;  // offsets
constexpr uint64_t kDataField = 8;
const HeldLock kFirstSection{.lock = 10, .section = 1, .shared = false};
const HeldLock kSecondSection{.lock = 10, .section = 2, .shared = false};

CallAccess touch(uint64_t site, uint64_t offset, bool writes, std::vector<HeldLock> held = {},
                 uint64_t size = 8, uint64_t object = kObject) {
  return {.place = site,
          .site = site,
          .object = object,
          .offset = offset,
          .size = size,
          .location = mix(object, offset),
          .writes = writes,
          .atomic = false,
          .held = std::move(held)};
}

CallFootprint footprint_of(std::vector<CallAccess> accesses) {
  return {.accesses = std::move(accesses), .nested = {}, .waits = {}, .wakes = {}};
}

uint64_t pattern(uint32_t number, const std::vector<std::pair<uint64_t, std::string_view>>& places) {
  std::vector<uint64_t> keys;
  for (const auto& [site, method] : places) keys.push_back(requirement_place(site, method));
  return requirement_key(PredictionKind::kPattern, number, std::move(keys));
}

bool has(const std::vector<uint64_t>& found, uint64_t key) {
  return std::ranges::binary_search(found, key);
}

TEST(LikelyRequirements, ChecksAndActsInTwoSectionsMayBeTorn) {
  const CallFootprint update = footprint_of(
      {touch(1, kSizeField, false, {kFirstSection}), touch(2, kSizeField, true, {kSecondSection})});
  const CallFootprint set = footprint_of({touch(3, kSizeField, true, {kFirstSection})});
  const std::vector<uint64_t> found = likely_requirements({update, "update"}, {set, "set"});
  EXPECT_EQ(found, (std::vector<uint64_t>{pattern(1, {{1, "update"}, {3, "set"}, {2, "update"}})}));
  EXPECT_EQ(likely_requirements({set, "set"}, {update, "update"}), found) << "whichever comes first";
  EXPECT_NE(likely_requirements({update, "change"}, {set, "set"}), found) << "each method for itself";
}

TEST(LikelyRequirements, OneLockAroundAllLeavesNone) {
  const CallFootprint update = footprint_of(
      {touch(1, kSizeField, false, {kFirstSection}), touch(2, kSizeField, true, {kFirstSection})});
  EXPECT_TRUE(likely_requirements({update, "update"}, {update, "update"}).empty());
}

TEST(LikelyRequirements, WithoutLocksThereAreRaces) {
  const CallFootprint read = footprint_of({touch(1, kSizeField, false)});
  const CallFootprint write = footprint_of({touch(2, kSizeField, true)});
  const uint64_t race = requirement_key(PredictionKind::kRace, 0,
                                        {requirement_place(2, "write"), requirement_place(1, "read")});
  EXPECT_EQ(likely_requirements({read, "read"}, {write, "write"}), (std::vector<uint64_t>{race}));
}

TEST(LikelyRequirements, TwoFieldsOfOneObjectBelongTogether) {
  const CallFootprint reads = footprint_of(
      {touch(1, kSizeField, false, {kFirstSection}), touch(2, kDataField, false, {kSecondSection})});
  const CallFootprint writes = footprint_of(
      {touch(3, kSizeField, true, {kFirstSection}), touch(4, kDataField, true, {kFirstSection})});
  const std::vector<uint64_t> found = likely_requirements({reads, "get"}, {writes, "set"});
  EXPECT_EQ(found, (std::vector<uint64_t>{pattern(11, {{1, "get"}, {3, "set"}, {4, "set"}, {2, "get"}})}));
  const CallFootprint apart = footprint_of({touch(1, kSizeField, false, {kFirstSection}),
                                            touch(2, kDataField, false, {kSecondSection}, 8, kObject + 1)});
  EXPECT_TRUE(likely_requirements({apart, "get"}, {writes, "set"}).empty());
}

// One copies a text as a whole, and the other one changes a part of it.
TEST(LikelyRequirements, AccessesThatOverlapMeet) {
  const CallFootprint copies = footprint_of(
      {touch(1, kDataField, false, {kFirstSection}, 16), touch(2, kSizeField, false, {kSecondSection})});
  const CallFootprint changes = footprint_of(
      {touch(3, kDataField + 4, true, {kFirstSection}, 1), touch(4, kSizeField, true, {kFirstSection})});
  EXPECT_TRUE(has(likely_requirements({copies, "copy"}, {changes, "change"}),
                  pattern(11, {{1, "copy"}, {3, "change"}, {4, "change"}, {2, "copy"}})));
}

TEST(LikelyRequirements, ManyLocationsAtTheSamePlacesSayNoMoreThanTwo) {
  std::vector<CallAccess> reads;
  std::vector<CallAccess> writes;
  for (uint64_t i = 0; i < 200; ++i) {
    reads.push_back(touch(1, i, false, {kFirstSection}, 1));
    writes.push_back(touch(2, i, true, {kFirstSection}, 1));
  }
  reads.push_back(touch(3, 200, false, {kSecondSection}, 1));
  writes.push_back(touch(4, 200, true, {kFirstSection}, 1));
  const std::vector<uint64_t> found =
      likely_requirements({footprint_of(reads), "read"}, {footprint_of(writes), "write"});
  EXPECT_TRUE(has(found, pattern(11, {{1, "read"}, {2, "write"}, {4, "write"}, {3, "read"}})));
}

}  // namespace
}  // namespace heddle::generate
