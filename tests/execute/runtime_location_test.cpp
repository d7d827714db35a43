#include "execute/runtime_location.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

namespace heddle {
namespace {

std::map<std::string, std::string> environment_for(const TestCommand& command) {
  const auto list = runtime_environment("/rt", command, "900");
  return {list.begin(), list.end()};
}

TEST(RuntimeLocation, VariableOverridesAndMustNameARuntime) {
  ::setenv("HEDDLE_RUNTIME_DIR", HEDDLE_FAKE_RUNTIME, 1);
  EXPECT_EQ(find_runtime().value(), HEDDLE_FAKE_RUNTIME);
  ::setenv("HEDDLE_RUNTIME_DIR", "/nonexistent", 1);
  const Expected<std::string> folder = find_runtime();
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().kind, Error::Kind::kUsage);
  ::unsetenv("HEDDLE_RUNTIME_DIR");
}

TEST(RuntimeLocation, EnvironmentPutsTheRuntimeInFrontOfWhatTheUserHas) {
  const auto environment = environment_for(
      {.argv = {"x"},
       .environment = {{"LD_PRELOAD", "mine.so"}, {"HEDDLE_OPTIONS", "quantum=5"}, {"A", "b"}}});
  EXPECT_EQ(environment.at("LD_PRELOAD"), "/rt/libtsan.so.2:mine.so");
  EXPECT_EQ(environment.at("HEDDLE_OPTIONS"), "arena=900:quantum=5");
  EXPECT_EQ(environment.at("LD_BIND_NOW"), "1");
  EXPECT_EQ(environment.at("A"), "b");
  EXPECT_TRUE(environment.at("GLIBC_TUNABLES").starts_with("glibc.pthread.rseq=0"));
}

TEST(RuntimeLocation, UserCannotNameAnotherArena) {
  const auto environment =
      environment_for({.argv = {"x"}, .environment = {{"HEDDLE_OPTIONS", "a=1:arena=3:b=2"}}});
  EXPECT_EQ(environment.at("HEDDLE_OPTIONS"), "arena=900:a=1:b=2");
}

TEST(RuntimeLocation, FolderWithBlanksIsPreloadedByName) {
  const auto list = runtime_environment("/my rt", {.argv = {"x"}}, "900");
  const std::map<std::string, std::string> environment(list.begin(), list.end());
  EXPECT_TRUE(environment.at("LD_PRELOAD").starts_with("libtsan.so.2"));
  EXPECT_TRUE(environment.at("LD_LIBRARY_PATH").starts_with("/my rt"));
}

}  // namespace
}  // namespace heddle
