#include "change/project.h"

#include <set>
#include <string_view>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;

// Reads the keys of one table, and complains about what is left.
class TableReader {
 public:
  TableReader(const std::string& file, const toml::table& root, std::string name)
      : file_(file), name_(std::move(name)) {
    const toml::node* node = root.get(name_);
    if (node == nullptr) return;
    table_ = node->as_table();
    if (table_ == nullptr) fail(*node, fmt::format("'{}' must be a table: [{}]", name_, name_));
  }

  void read(std::string_view key, std::string& value) {
    if (const toml::node* node = find(key))
      take(*node, key, "a string", node->value_exact<std::string>(), value);
  }
  void read(std::string_view key, fs::path& value) {
    std::string text = value.string();
    read(key, text);
    value = text;
  }
  void read(std::string_view key, bool& value) {
    if (const toml::node* node = find(key))
      take(*node, key, "true or false", node->value_exact<bool>(), value);
  }
  void read(std::string_view key, std::chrono::seconds& value) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    int64_t seconds = value.count();
    take(*node, key, "a number of seconds", node->value_exact<int64_t>(), seconds);
    if (seconds <= 0) fail(*node, fmt::format("'{}' must be more than 0", key));
    value = std::chrono::seconds(seconds);
  }
  void read(std::string_view key, std::vector<std::string>& value) {
    const toml::node* node = find(key);
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr) return fail(*node, fmt::format("'{}' must be a list of strings", key));
    value.clear();
    for (const toml::node& element : *array) {
      const auto text = element.value_exact<std::string>();
      if (!text) return fail(element, fmt::format("'{}' must be a list of strings", key));
      value.push_back(*text);
    }
  }

  // What is wrong, or nothing.
  std::string finish() {
    if (error_.empty() && table_ != nullptr) {
      for (const auto& [key, node] : *table_) {
        if (known_.count(std::string(key.str())) == 0) {
          fail(node, fmt::format("unknown key '{}' in [{}]; known are {}", key.str(), name_,
                                 fmt::join(known_, ", ")));
        }
      }
    }
    return error_;
  }

 private:
  const toml::node* find(std::string_view key) {
    known_.insert(std::string(key));
    return table_ == nullptr ? nullptr : table_->get(key);
  }
  template <typename T>
  void take(const toml::node& node, std::string_view key, std::string_view what, std::optional<T> found,
            T& value) {
    if (found)
      value = std::move(*found);
    else
      fail(node, fmt::format("'{}' must be {}", key, what));
  }
  void fail(const toml::node& node, const std::string& what) {
    if (error_.empty()) error_ = fmt::format("{}:{}: {}", file_, node.source().begin.line, what);
  }

  const std::string& file_;
  std::string name_;
  const toml::table* table_ = nullptr;
  std::set<std::string> known_;
  std::string error_;
};

std::string read_build(const std::string& file, const toml::table& root, Project* project) {
  TableReader table(file, root, "build");
  table.read("commands", project->build_commands);
  table.read("source", project->source_folder);
  table.read("cmake_options", project->cmake_options);
  table.read("targets", project->targets);
  table.read("c_compiler", project->c_compiler);
  table.read("cxx_compiler", project->cxx_compiler);
  table.read("flags", project->flags);
  table.read("timeout", project->build_timeout);
  table.read("clean", project->clean_builds);
  return table.finish();
}

std::string read_tests(const std::string& file, const toml::table& root, Project* project) {
  TableReader table(file, root, "tests");
  table.read("commands", project->test_commands);
  table.read("include", project->include);
  table.read("exclude", project->exclude);
  table.read("split_cases", project->split_cases);
  table.read("timeout", project->test_timeout);
  return table.finish();
}

std::string read_check(const std::string& file, const toml::table& root, Project* project) {
  TableReader table(file, root, "check");
  table.read("budget", project->budget);
  table.read("suppressions", project->suppressions);
  return table.finish();
}

}  // namespace

Expected<Project> read_project(const fs::path& root) {
  Project project;
  project.root = root;
  const fs::path path = root / "heddle.toml";
  std::error_code failed;
  if (!fs::exists(path, failed)) return project;
  const std::string file = path.string();
  toml::table table;
  try {
    table = toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    return usage_error(fmt::format("{}:{}: {}", file, error.source().begin.line, error.description()));
  }
  for (const auto& [key, node] : table) {
    if (key != "build" && key != "tests" && key != "check") {
      return usage_error(fmt::format("{}:{}: unknown table '{}'; known are build, tests, check", file,
                                     node.source().begin.line, key.str()));
    }
  }
  for (const auto reader : {read_build, read_tests, read_check}) {
    if (const std::string wrong = reader(file, table, &project); !wrong.empty()) return usage_error(wrong);
  }
  return project;
}

std::string commented_project_file(const fs::path& root) {
  const Project defaults;
  std::error_code failed;
  const bool has_cmake = fs::exists(root / "CMakeLists.txt", failed);
  return fmt::format(
      R"(# How heddle builds and tests this project. Every key is optional; what is commented out is the default.

[build]
{}# commands = ["make -j2 check-programs"]   # your own build, run by sh in a copy of the sources; CC and CXX
#                                           # name heddle's compiler wrappers, HEDDLE_BUILD_DIR a folder for results
# clean = true              # `commands` begin with sources alone; false: after a change, with what they made before
# source = "."              # where CMakeLists.txt is
# cmake_options = []        # e.g. ["-DWITH_TESTS=ON"]
# targets = []              # what to build; empty: everything
# c_compiler = ""           # behind heddle's wrapper; empty: CC, or gcc
# cxx_compiler = ""         # the same: CXX, or g++
# flags = "{}"              # added to instrumentation; the same for both revisions, or accesses cannot be compared
# timeout = {}            # seconds

[tests]
# commands = []             # a plain list, e.g. ["build/queue_test --fast"]; empty: ask CTest
# include = []              # regular expressions on test names; empty: all
# exclude = []
# split_cases = true        # each case of a GoogleTest, Catch2 or doctest program is a test of its own
# timeout = {}              # seconds, for each test

[check]
# budget = "{}"             # how long `heddle check` may take, builds not included
# suppressions = ""         # file in ThreadSanitizer's syntax
)",
      has_cmake ? "" : "# There is no CMakeLists.txt here, so `commands` is needed.\n", defaults.flags,
      defaults.build_timeout.count(), defaults.test_timeout.count(), defaults.budget);
}

}  // namespace heddle
