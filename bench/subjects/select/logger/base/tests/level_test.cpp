// One thread: levels, the tree of loggers, settings.
#include <gtest/gtest.h>

#include <cctype>
#include <memory>
#include <string>
#include <tuple>

#include "logger.h"

namespace logging {
namespace {

constexpr Level kLevels[] = {Level::kAll,     Level::kTrace, Level::kDebug, Level::kInfo,
                             Level::kWarning, Level::kError, Level::kFatal, Level::kOff};

// Every level of a message with every threshold.
class Thresholds : public testing::TestWithParam<std::tuple<Level, Level>> {};

TEST_P(Thresholds, LoggerPassesWhatIsImportantEnough) {
  const auto [message, threshold] = GetParam();
  LoggerRegistry registry(threshold);
  const auto counter = std::make_shared<CountingHandler>();
  registry.root().add_handler(counter);
  registry.get("some.part").log(message, "text");
  EXPECT_EQ(counter->count(message), passes(message, threshold) ? 1U : 0U);
}

TEST_P(Thresholds, HandlerTakesWhatIsImportantEnough) {
  const auto [message, threshold] = GetParam();
  LoggerRegistry registry(Level::kAll);
  const auto counter = std::make_shared<CountingHandler>();
  counter->set_threshold(threshold);
  registry.root().add_handler(counter);
  registry.root().log(message, "text");
  EXPECT_EQ(counter->handled(), 1U);
  EXPECT_EQ(counter->total() + counter->filtered(), 1U);
  EXPECT_EQ(counter->total(), passes(message, threshold) ? 1U : 0U);
}

INSTANTIATE_TEST_SUITE_P(All, Thresholds,
                         testing::Combine(testing::Values(Level::kTrace, Level::kDebug, Level::kInfo,
                                                          Level::kWarning, Level::kError, Level::kFatal),
                                          testing::ValuesIn(kLevels)),
                         [](const auto& info) {
                           return std::string(name_of(std::get<0>(info.param))) + "At" +
                                  name_of(std::get<1>(info.param));
                         });

class Names : public testing::TestWithParam<Level> {};

TEST_P(Names, AreReadInAnyCase) {
  std::string name = name_of(GetParam());
  EXPECT_EQ(parse_level(name), GetParam());
  name[0] = static_cast<char>(std::tolower(name[0]));
  EXPECT_EQ(parse_level(name), GetParam());
  EXPECT_FALSE(parse_level(name + "x"));
}

INSTANTIATE_TEST_SUITE_P(All, Names, testing::ValuesIn(kLevels),
                         [](const auto& info) { return std::string(name_of(info.param)); });

// A chain of loggers, of which one has a level of its own.
class Chain : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  static std::string name(int depth) {
    std::string result = "a";
    for (int i = 1; i < depth; ++i) result += ".a";
    return result;
  }
};

TEST_P(Chain, LevelCountsForThoseBelow) {
  const auto [depth, setting] = GetParam();
  LoggerRegistry registry(Level::kWarning);
  registry.get(name(depth));
  registry.get(name(setting)).set_level(Level::kDebug);
  for (int i = 1; i <= depth; ++i) {
    EXPECT_EQ(registry.get(name(i)).effective_level(), i >= setting ? Level::kDebug : Level::kWarning);
    EXPECT_EQ(registry.get(name(i)).level().has_value(), i == setting);
  }
  registry.get(name(setting)).set_level(std::nullopt);
  EXPECT_FALSE(registry.get(name(depth)).is_enabled(Level::kDebug));
}

TEST_P(Chain, MessagesGoUpToTheOneThatIsNotAdditive) {
  const auto [depth, setting] = GetParam();
  LoggerRegistry registry;
  const auto at_root = std::make_shared<CountingHandler>();
  const auto in_between = std::make_shared<CountingHandler>();
  registry.root().add_handler(at_root);
  registry.get(name(setting)).add_handler(in_between);
  registry.get(name(setting)).set_additive(false);
  registry.get(name(depth)).info("text");
  EXPECT_EQ(in_between->total(), depth >= setting ? 1U : 0U);
  EXPECT_EQ(at_root->total(), depth >= setting ? 0U : 1U);
}

INSTANTIATE_TEST_SUITE_P(Depths, Chain, testing::Combine(testing::Range(1, 6), testing::Range(1, 6)),
                         [](const auto& info) {
                           return "Depth" + std::to_string(std::get<0>(info.param)) + "Setting" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(LoggerRegistry, MakesTheLoggersAbove) {
  LoggerRegistry registry;
  Logger& logger = registry.get("net.http.client");
  EXPECT_EQ(logger.parent()->name(), "net.http");
  EXPECT_EQ(logger.parent()->parent()->parent(), &registry.root());
  EXPECT_EQ(registry.size(), 4U);
  EXPECT_EQ(&registry.get("net.http.client"), &logger);
  EXPECT_EQ(&registry.get(""), &registry.root());
}

TEST(LoggerRegistry, RefusesNamesWithEmptyParts) {
  LoggerRegistry registry;
  for (const char* name : {".", ".a", "a.", "a..b"}) EXPECT_THROW(registry.get(name), std::invalid_argument);
}

TEST(LoggerRegistry, RootKeepsALevel) {
  LoggerRegistry registry;
  EXPECT_THROW(registry.root().set_level(std::nullopt), std::invalid_argument);
}

TEST(LoggerRegistry, ReadsSettings) {
  LoggerRegistry registry;
  registry.configure("# levels\nroot = error\n\n  net.http = debug \nnet=trace\n");
  EXPECT_EQ(registry.root().level(), Level::kError);
  EXPECT_EQ(registry.get("net.http.client").effective_level(), Level::kDebug);
  EXPECT_EQ(registry.get("net.ftp").effective_level(), Level::kTrace);
  EXPECT_EQ(registry.names(),
            (std::vector<std::string>{"", "net", "net.ftp", "net.http", "net.http.client"}));
}

TEST(LoggerRegistry, AppliesNothingOfWrongSettings) {
  LoggerRegistry registry(Level::kInfo);
  for (const char* text :
       {"root = debug\nnet", "root = debug\nnet = loud", "root = debug\n= info", "root=debug\na..b=info"}) {
    EXPECT_THROW(registry.configure(text), std::invalid_argument) << text;
  }
  EXPECT_EQ(registry.root().level(), Level::kInfo);
}

TEST(Logger, HandlersCanBeRemoved) {
  LoggerRegistry registry;
  const auto counter = std::make_shared<CountingHandler>();
  registry.root().add_handler(counter);
  EXPECT_EQ(registry.root().handler_count(), 1U);
  EXPECT_TRUE(registry.root().remove_handler(counter));
  EXPECT_FALSE(registry.root().remove_handler(counter));
  registry.root().error("text");
  EXPECT_EQ(counter->total(), 0U);
  EXPECT_EQ(registry.messages(), 1U);
}

}  // namespace
}  // namespace logging
