// `heddle explore` of one of the programs that CMakeLists.txt builds for it.
#pragma once

#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {

struct Explored {
  int exit_code = -1;
  std::string err;
  nlohmann::json result;  // of --json, if that was written

  // Null if there is none.
  nlohmann::json operator[](const char* field) const {
    return result.is_object() ? result.value(field, nlohmann::json()) : nlohmann::json();
  }

  bool says(const std::string& text) const { return err.find(text) != std::string::npos; }
  std::set<std::string> kinds() const {
    std::set<std::string> kinds;
    for (const nlohmann::json& finding : (*this)["findings"]) kinds.insert(finding["kind"]);
    return kinds;
  }
};

class ExploreTest : public ToolTest {
 protected:
  // `test`: a program and its arguments. Nothing is remembered, unless `options` say so.
  Explored explore(const std::string& options, const std::string& test) const {
    const std::string store = options.find("--store") == std::string::npos ? "--no-store " : "";
    return run("heddle explore " + store + "--json result.json " + options + " -- " + path_of(test));
  }

  Explored run(const std::string& line) const {
    std::filesystem::remove(folder_ / "result.json");
    const ToolResult told = shell(line);
    return {told.exit_code, told.err, nlohmann::json::parse(read("result.json"), nullptr, false)};
  }

  static std::string path_of(const std::string& program) { return HEDDLE_EXPLORED "/" + program; }
};

}  // namespace heddle
