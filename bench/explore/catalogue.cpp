#include "catalogue.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>

#include <fmt/format.h>

namespace heddle::bench {
namespace {

constexpr const char* kGroups[] = {"paper", "extracted", "hard"};

std::vector<std::string> split(std::string text, char separator) {
  std::ranges::replace(text, separator, ' ');
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// What stands after "// key: ".
std::optional<std::string> value_of(const std::string& line, const std::string& key) {
  const std::string start = "// " + key + ": ";
  if (!line.starts_with(start)) return std::nullopt;
  return line.substr(start.size());
}

Expected<void> read_subject(const std::filesystem::path& source, const std::string& group,
                            Catalogue& result) {
  SubjectRun run{source.stem(), group, "", {}};
  ScaledSubject scaled{run.subject, {}};
  std::ifstream file(source);
  for (std::string line; std::getline(file, line) && line.starts_with("//");) {
    if (const auto expected = value_of(line, "expect")) {
      std::vector<std::string> words = split(*expected, ' ');
      if (words.empty() || words.size() > 2)
        return usage_error(fmt::format("{}: `{}` is not `expect: KINDS [WORD]`", source.string(), line));
      run.kinds = split(words[0], ',');
      run.word = words.size() == 2 ? words[1] : "";
      result.runs.push_back(run);
    } else if (const auto counts = value_of(line, "scale")) {
      for (const std::string& count : split(*counts, ' ')) {
        run.word = count;
        scaled.runs.push_back(run);
      }
    }
  }
  if (run.kinds.empty())
    return usage_error(fmt::format("{} does not say how it fails: begin it with `// expect: KINDS [WORD]`",
                                   source.string()));
  if (!scaled.runs.empty()) result.scaled.push_back(std::move(scaled));
  return {};
}

}  // namespace

Expected<Catalogue> read_catalogue(const std::string& folder, const std::string& name_pattern) {
  const std::regex wanted(name_pattern);
  Catalogue result;
  for (const char* group : kGroups) {
    std::vector<std::filesystem::path> sources;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(folder) / group)) {
      if (std::regex_match(entry.path().stem().string(), wanted)) sources.push_back(entry.path());
    }
    std::ranges::sort(sources);
    for (const std::filesystem::path& source : sources) {
      if (const Expected<void> read = read_subject(source, group, result); !read)
        return tl::unexpected(read.error());
    }
  }
  if (result.runs.empty()) return usage_error(fmt::format("no subject's name matches '{}'", name_pattern));
  return result;
}

}  // namespace heddle::bench
