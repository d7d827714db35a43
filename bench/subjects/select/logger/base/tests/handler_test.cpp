// One thread (and that of the asynchronous handler): what becomes of the messages.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <tuple>

#include "async_handler.h"
#include "logger.h"
#include "rotating_handler.h"

namespace logging {
namespace {

Record record(const std::string& message, Level level = Level::kInfo) {
  return {level, "test", message, 1};
}

std::unique_ptr<Sink> memory_sink(std::uint64_t) {
  return std::make_unique<MemorySink>();
}

class Memory : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Memory, KeepsTheLastLines) {
  const auto [limit, count] = GetParam();
  MemoryHandler handler(limit, Formatter("%m"));
  for (int i = 0; i < count; ++i) handler.handle(record(std::to_string(i)));
  const auto lines = handler.lines();
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(std::min(limit, count)));
  for (std::size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(lines[i], std::to_string(count - lines.size() + i));
  handler.clear();
  EXPECT_EQ(handler.size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(All, Memory,
                         testing::Combine(testing::Values(0, 1, 5, 50), testing::Values(0, 1, 5, 30)),
                         [](const auto& info) {
                           return "Limit" + std::to_string(std::get<0>(info.param)) + "Lines" +
                                  std::to_string(std::get<1>(info.param));
                         });

// Lines of ten bytes into sinks of several sizes.
class Rotation : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Rotation, BeginsAnotherSinkWhenOneIsFull) {
  const auto [size, kept] = GetParam();
  RotatingHandler handler(memory_sink, size, kept, Formatter("%10m"));
  for (int i = 0; i < 20; ++i) handler.handle(record(std::to_string(i)));
  const int lines_each = std::max(1, size / 10);
  const int sinks = (20 + lines_each - 1) / lines_each;
  EXPECT_EQ(handler.rotations() + 1, static_cast<std::uint64_t>(sinks));
  EXPECT_EQ(handler.total_size(), 200U);
  int seen = 0;
  handler.for_each_sink([&](const Sink& sink) {
    EXPECT_LE(dynamic_cast<const MemorySink&>(sink).lines().size(), static_cast<std::size_t>(lines_each));
    ++seen;
  });
  EXPECT_EQ(seen, std::min(sinks, kept));
}

TEST_P(Rotation, CanBeAskedFor) {
  const auto [size, kept] = GetParam();
  RotatingHandler handler(memory_sink, size, kept);
  handler.handle(record("text"));
  handler.rotate();
  EXPECT_EQ(handler.current_size(), 0U);
  EXPECT_EQ(handler.rotations(), 1U);
}

INSTANTIATE_TEST_SUITE_P(All, Rotation,
                         testing::Combine(testing::Values(5, 10, 35, 100, 1000), testing::Values(1, 2, 8)),
                         [](const auto& info) {
                           return "Size" + std::to_string(std::get<0>(info.param)) + "Kept" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(RotatingHandler, KeepsOneSinkAtLeast) {
  EXPECT_THROW(RotatingHandler(memory_sink, 10, 0), std::invalid_argument);
}

TEST(RotatingHandler, WritesFiles) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string prefix = "logger_test_" + std::to_string(::getpid()) + "_";
  RotatingHandler handler(
      [&](std::uint64_t number) {
        return std::make_unique<FileSink>(folder / (prefix + std::to_string(number)), true);
      },
      20, 2, Formatter("%10m"));
  for (int i = 0; i < 5; ++i) handler.handle(record(std::to_string(i)));
  EXPECT_FALSE(std::filesystem::exists(folder / (prefix + "0")));
  std::ifstream file(folder / (prefix + "1"));
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "         2");
}

TEST(FileSink, SaysIfItCannotWrite) {
  EXPECT_THROW(FileSink("/no such folder/file", true), std::runtime_error);
}

// The history of an error.
class Triggering : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Triggering, PassesTheHistoryOn) {
  const auto [limit, count] = GetParam();
  const auto target = std::make_shared<MemoryHandler>(100, Formatter("%m"));
  TriggeringHandler handler(target, Level::kError, limit);
  for (int i = 0; i < count; ++i) handler.handle(record(std::to_string(i)));
  EXPECT_EQ(target->size(), 0U);
  EXPECT_EQ(handler.kept(), static_cast<std::size_t>(std::min(limit, count)));
  handler.handle(record("error", Level::kError));
  EXPECT_EQ(target->size(), static_cast<std::size_t>(std::min(limit, count + 1)));
  EXPECT_EQ(target->lines().back(), "error");
  handler.handle(record("later"));
  handler.flush();
  EXPECT_EQ(target->lines().back(), "later");
}

INSTANTIATE_TEST_SUITE_P(All, Triggering,
                         testing::Combine(testing::Values(1, 3, 10), testing::Values(0, 2, 20)),
                         [](const auto& info) {
                           return "Limit" + std::to_string(std::get<0>(info.param)) + "Lines" +
                                  std::to_string(std::get<1>(info.param));
                         });

class Asynchronous : public testing::TestWithParam<int> {};

TEST_P(Asynchronous, KeepsTheOrder) {
  const auto target = std::make_shared<MemoryHandler>(100, Formatter("%m"));
  AsyncHandler handler(target, GetParam(), AsyncHandler::Overflow::kWait);
  for (int i = 0; i < 12; ++i) handler.handle(record(std::to_string(i)));
  handler.flush();
  const auto lines = target->lines();
  ASSERT_EQ(lines.size(), 12U);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(lines[i], std::to_string(i));
  EXPECT_EQ(handler.dropped(), 0U);
}

TEST_P(Asynchronous, LosesWhatComesAfterTheEnd) {
  const auto target = std::make_shared<CountingHandler>();
  AsyncHandler handler(target, GetParam(), AsyncHandler::Overflow::kWait);
  handler.handle(record("text"));
  handler.close();
  handler.close();
  handler.handle(record("late"));
  EXPECT_EQ(target->total(), 1U);
  EXPECT_EQ(handler.dropped(), 1U);
  EXPECT_EQ(handler.pending(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Capacities, Asynchronous, testing::Values(1, 2, 7, 64));

TEST(AsyncHandler, NeedsRoom) {
  EXPECT_THROW(AsyncHandler(std::make_shared<CountingHandler>(), 0, AsyncHandler::Overflow::kWait),
               std::invalid_argument);
}

}  // namespace
}  // namespace logging
