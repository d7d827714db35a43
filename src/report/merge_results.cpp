#include "report/merge_results.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

// What all shards say of the whole, or say of the same builds.
const std::set<std::string> kOfTheWhole = {"of", "selected", "seconds", "base", "head", "heddle", "command"};

const char* const kNamingKeys[] = {"name", "class", "fingerprint"};

// What tells an entry of a list from the others; empty if nothing does.
std::string name_of(const Json& entry) {
  for (const char* key : kNamingKeys)
    if (entry.is_object() && entry.contains(key) && entry[key].is_string()) return entry[key];
  return {};
}

void merge_into(Json* all, const Json& part);

void merge_list(Json* all, const Json& part) {
  for (const Json& entry : part) {
    const std::string name = name_of(entry);
    const auto same = std::find_if(all->begin(), all->end(), [&](const Json& other) {
      return name.empty() ? other == entry : name_of(other) == name;
    });
    if (same == all->end())
      all->push_back(entry);
    else if (!name.empty())
      merge_into(&*same, entry);
  }
}

void merge_value(const std::string& key, Json* all, const Json& part) {
  if (kOfTheWhole.contains(key)) {
    if (part.is_number() && all->is_number() && part.get<double>() > all->get<double>()) *all = part;
  } else if (all->is_boolean() && part.is_boolean()) {
    // "complete" holds if it holds for all; what else there is, if it holds for one.
    *all = key == "complete" ? all->get<bool>() && part.get<bool>() : all->get<bool>() || part.get<bool>();
  } else if (all->is_number_integer() && part.is_number_integer()) {
    *all = all->get<int64_t>() + part.get<int64_t>();
  } else if (all->is_number() && part.is_number()) {
    *all = all->get<double>() + part.get<double>();
  } else if (all->is_array() && part.is_array()) {
    merge_list(all, part);
  } else if (all->is_object() && part.is_object()) {
    merge_into(all, part);
  }
}

void merge_into(Json* all, const Json& part) {
  for (const auto& [key, value] : part.items()) {
    if (all->contains(key))
      merge_value(key, &(*all)[key], value);
    else
      (*all)[key] = value;
  }
}

void add_tests(const Json& finding, std::set<std::string>* tests) {
  if (finding.contains("test")) tests->insert(finding["test"].get<std::string>());
  if (finding.contains("tests"))
    for (const Json& test : finding["tests"]) tests->insert(test.get<std::string>());
}

// The first one's words and schedule stay.
void merge_finding(Json* all, const Json& part) {
  std::set<std::string> tests;
  add_tests(*all, &tests);
  add_tests(part, &tests);
  if (!all->contains("test") && part.contains("test")) (*all)["test"] = part["test"];
  if (tests.size() > 1) (*all)["tests"] = tests;
  const std::string status = part.value("status", "unknown");
  const bool says_more = status == "known" || (*all)["status"] == "unknown";
  if (says_more) (*all)["status"] = status;
}

void merge_findings(Json* all, const Json& part) {
  for (const Json& finding : part) {
    const auto same = std::find_if(all->begin(), all->end(), [&](const Json& other) {
      return other.value("fingerprint", "") == finding.value("fingerprint", "");
    });
    if (same == all->end())
      all->push_back(finding);
    else
      merge_finding(&*same, finding);
  }
}

}  // namespace

size_t count_findings(const Json& result, const std::string& status) {
  const Json& findings = result["findings"];
  return static_cast<size_t>(std::count_if(findings.begin(), findings.end(), [&](const Json& finding) {
    return finding.value("status", "") == status && finding.value("confirmed", false);
  }));
}

Expected<Json> merge_results(const std::vector<Json>& results, const std::vector<std::string>& names) {
  Json all;
  for (size_t i = 0; i < results.size(); ++i) {
    const Json& part = results[i];
    if (!part.is_object() || !part.contains("command") || !part.contains("findings"))
      return usage_error(fmt::format("{} is no result that heddle has written with --json", names[i]));
    if (all.is_null()) {
      all = part;
      all.erase("shard");
      continue;
    }
    if (all["command"] != part["command"])
      return usage_error(fmt::format("{} is a result of `heddle {}`, and {} one of `heddle {}`", names[0],
                                     all["command"].get<std::string>(), names[i],
                                     part["command"].get<std::string>()));
    for (const char* end : {"base", "head"}) {
      const auto commit_of = [&](const Json& result) {
        return result.contains(end) ? result[end].value("commit", "") : std::string();
      };
      if (commit_of(all) != commit_of(part))
        return usage_error(fmt::format("{} is of another {} than {}", names[i], end, names[0]));
    }
    Json rest = part;
    rest.erase("findings");
    rest.erase("shard");
    merge_into(&all, rest);
    merge_findings(&all["findings"], part["findings"]);
  }
  for (const char* status : {"new", "known"})
    if (all.contains(status)) all[status] = count_findings(all, status);
  return all;
}

}  // namespace heddle
