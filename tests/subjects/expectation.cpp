#include "expectation.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace heddle::subjects {
namespace {

constexpr std::string_view kKey = "// expect: ";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    part.erase(0, part.find_first_not_of(' '));
    parts.push_back(part);
  }
  return parts;
}

bool names_function(const nlohmann::json& finding, const std::string& function) {
  for (const nlohmann::json& site : finding.at("sites")) {
    if (site.at("function").get_ref<const std::string&>().find(function) != std::string::npos) return true;
  }
  return false;
}

Expected<Expectation> parse(const std::string& text) {
  Expectation expectation{.text = text};
  std::istringstream words(text);
  std::string word;
  words >> expectation.command >> word;
  if (expectation.command != "detect" && expectation.command != "predict") {
    return usage_error(
        fmt::format("'{}' is no command that finds things in one execution", expectation.command));
  }
  if (word == "none") return expectation;
  expectation.kinds = split(word, '|');
  words >> word;
  if (word == "pattern") words >> expectation.pattern >> word;
  if (word != "harmful" && word != "benign" && word != "any") {
    return usage_error(fmt::format("'{}' is neither harmful nor benign nor any", word));
  }
  expectation.confirmation = word;
  words >> word;
  std::string functions;
  std::getline(words, functions);
  if (word != "in" || functions.empty()) return usage_error("it does not say in which functions");
  expectation.functions = split(functions, ',');
  return expectation;
}

}  // namespace

bool is_report(const nlohmann::json& finding) {
  return finding.at("confirmation") != "not-reproduced";
}

bool Expectation::is_met_by(const nlohmann::json& finding) const {
  if (!is_report(finding)) return false;
  if (std::ranges::find(kinds, finding.at("kind").get<std::string>()) == kinds.end()) return false;
  if (pattern != 0 && finding.value("pattern", 0U) != pattern) return false;
  if (confirmation != "any" && finding.at("confirmation") != confirmation) return false;
  return std::ranges::all_of(functions,
                             [&](const std::string& function) { return names_function(finding, function); });
}

Expected<std::vector<Expectation>> read_expectations(const std::string& source_path) {
  std::ifstream file(source_path);
  if (!file) return usage_error(fmt::format("cannot read {}", source_path));
  std::vector<Expectation> expectations;
  for (std::string line; std::getline(file, line) && line.starts_with(kKey);) {
    auto expectation = parse(line.substr(kKey.size()));
    if (!expectation) return usage_error(fmt::format("{}: {}", source_path, expectation.error().message));
    expectations.push_back(std::move(*expectation));
  }
  return expectations;
}

}  // namespace heddle::subjects
