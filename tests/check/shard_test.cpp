#include "check/shard.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Shard, EachNameBelongsToExactlyOne) {
  std::array<int, 4> sizes{};
  for (int i = 0; i < 400; ++i) {
    int owners = 0;
    for (uint32_t number = 1; number <= 4; ++number) {
      const bool has = Shard{number, 4}.has("test_" + std::to_string(i));
      owners += has;
      sizes[number - 1] += has;
    }
    EXPECT_EQ(owners, 1);
  }
  for (const int size : sizes) EXPECT_GT(size, 50);  // of 100 on average
  EXPECT_TRUE(Shard().has("whatever"));
}

TEST(Shard, ReadsWhatItPrints) {
  EXPECT_EQ(print_shard(*parse_shard("2/5")), "2/5");
  for (const std::string text : {"", "2", "0/3", "4/3", "1/0", "1/2x", "a/b", "-1/2"})
    EXPECT_FALSE(parse_shard(text)) << text;
}

}  // namespace
}  // namespace heddle
