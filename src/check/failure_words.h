// What a failing test says of its failure, in what it printed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct FailureWords {
  std::vector<std::string> lines;  // a few, for people
  // The assertion that failed, as it stands in the source, if the test names its place (GoogleTest, Catch2,
  // doctest, Boost.Test and whoever writes "file:line: …" do). Else empty.
  std::string assertion;

  // The same for executions that fail in the same way: numbers and folders do not count. Empty if the test
  // says nothing.
  std::string identity() const;
};

// `folder`: where the test ran, which is what paths that it prints are relative to.
FailureWords failure_words(std::string_view out, std::string_view err, const std::filesystem::path& folder);

}  // namespace heddle
