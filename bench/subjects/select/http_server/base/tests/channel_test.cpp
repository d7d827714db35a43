#include "channel.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace web {
namespace {

class ChannelHistory : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(ChannelHistory, KeepsTheLatest) {
  const auto [published, history] = GetParam();
  Channel channel(history);
  for (int i = 1; i <= published; ++i)
    EXPECT_EQ(channel.publish(std::to_string(i)), static_cast<std::uint64_t>(i));
  const std::vector<Message> kept = channel.after(0);
  ASSERT_EQ(kept.size(), static_cast<std::size_t>(std::min(published, history)));
  if (!kept.empty()) {
    EXPECT_EQ(kept.back().text, std::to_string(published));
  }
  EXPECT_TRUE(channel.after(published).empty());
}

INSTANTIATE_TEST_SUITE_P(Grid, ChannelHistory,
                         testing::Combine(testing::Values(0, 1, 5, 20), testing::Values(1, 5, 50)));

TEST(Channel, ClosedTakesNothingAndEndsWaiting) {
  Channel channel(4);
  channel.publish("a");
  channel.close();
  EXPECT_TRUE(channel.closed());
  EXPECT_EQ(channel.publish("b"), 0U);
  EXPECT_TRUE(channel.wait_after(1).empty());
  EXPECT_EQ(channel.wait_after(0).size(), 1U);
}

TEST(ChannelHub, LimitsAndForgets) {
  ChannelHub hub(2, 4);
  const auto first = hub.open("a");
  EXPECT_EQ(hub.open("a"), first);
  EXPECT_TRUE(hub.open("b"));
  EXPECT_FALSE(hub.open("c"));
  EXPECT_TRUE(hub.remove("a"));
  EXPECT_FALSE(hub.remove("a"));
  EXPECT_TRUE(first->closed());
  EXPECT_FALSE(hub.find("a"));
  EXPECT_EQ(hub.names(), std::vector<std::string>{"b"});
  hub.close();
  EXPECT_FALSE(hub.open("b"));
}

class ChannelFollowers : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(ChannelFollowers, SeeEveryMessageInOrder) {
  const auto [followers, messages] = GetParam();
  Channel channel(1000);
  std::vector<std::vector<std::uint64_t>> seen(followers);
  run_threads(followers + 1, [&](int thread) {
    if (thread == followers) {
      for (int i = 0; i < messages; ++i) channel.publish("m");
      return;
    }
    std::uint64_t last = 0;
    while (last < static_cast<std::uint64_t>(messages)) {
      for (const Message& message : channel.wait_after(last)) {
        seen[thread].push_back(message.number);
        last = message.number;
      }
    }
  });
  for (const auto& numbers : seen) {
    ASSERT_EQ(numbers.size(), static_cast<std::size_t>(messages));
    for (int i = 0; i < messages; ++i) EXPECT_EQ(numbers[i], static_cast<std::uint64_t>(i) + 1);
  }
  EXPECT_EQ(channel.waiting(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Grid, ChannelFollowers,
                         testing::Combine(testing::Values(1, 2, 4, 8), testing::Values(1, 4, 16)));

class ChannelPublishers : public testing::TestWithParam<int> {};

TEST_P(ChannelPublishers, GetDistinctNumbers) {
  Channel channel(1000);
  std::vector<std::vector<std::uint64_t>> numbers(GetParam());
  run_threads(GetParam(), [&](int thread) {
    for (int i = 0; i < 10; ++i) numbers[thread].push_back(channel.publish("x"));
  });
  std::vector<bool> used(GetParam() * 10 + 1);
  for (const auto& own : numbers) {
    for (const std::uint64_t number : own) {
      EXPECT_FALSE(used[number]);
      used[number] = true;
    }
  }
  EXPECT_EQ(channel.last_number(), static_cast<std::uint64_t>(GetParam()) * 10);
}

TEST_P(ChannelPublishers, EndWhenTheHubCloses) {
  ChannelHub hub(4, 16);
  std::vector<std::size_t> got(GetParam(), 99);
  run_threads(GetParam() + 1, [&](int thread) {
    if (thread == GetParam()) return hub.close();
    const auto channel = hub.open("topic");
    got[thread] = channel ? channel->wait_after(0).size() : 0;
  });
  for (const std::size_t count : got) EXPECT_EQ(count, 0U);
}

INSTANTIATE_TEST_SUITE_P(Threads, ChannelPublishers, testing::Values(2, 4, 8));

}  // namespace
}  // namespace web
