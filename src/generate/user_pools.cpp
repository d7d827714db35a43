#include "generate/user_pools.h"

#include <array>
#include <fstream>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "generate/nearest_name.h"

namespace heddle::generate {
namespace {

// What a file has at its top, where each list goes.
class UserPoolsReader {
 public:
  explicit UserPoolsReader(const std::string& path) : path_(path) {}

  Expected<UserPools> read() {
    if (!std::ifstream(path_)) return usage_error(fmt::format("{} cannot be read", path_));
    toml::table root;
    try {
      root = toml::parse_file(path_);
    } catch (const toml::parse_error& error) {
      return usage_error(fmt::format("{}:{}: {}", path_, error.source().begin.line, error.description()));
    }
    for (const auto& [key, node] : root) read_entry(std::string(key.str()), node);
    if (!error_.empty()) return usage_error(error_);
    return std::move(pools_);
  }

 private:
  static constexpr std::array<std::string_view, 6> kKeys = {"include",   "skip",   "observe",
                                                            "invariant", "values", "construct"};

  void read_entry(const std::string& key, const toml::node& node) {
    if (key == "include") return read_list(key, node, &pools_.includes);
    if (key == "skip") return read_list(key, node, &pools_.skip);
    if (key == "observe") return read_list(key, node, &pools_.observe);
    if (key == "invariant") return read_list(key, node, &pools_.invariant);
    if (key == "values") return read_values(node);
    if (key == "construct") return read_construct(node);
    fail(node, unknown(key, {kKeys.begin(), kKeys.end()}));
  }

  void read_values(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      return fail(
          node, "'values' must be a table: [values], with a line \"type\" = [\"expression\"] for each type");
    for (const auto& [type, values] : *table) {
      const std::string name(type.str());
      read_list(name, values, &pools_.values[name]);
      if (values.is_array() && values.as_array()->empty())
        fail(values, fmt::format("'{}' has no values", name));
    }
  }

  void read_construct(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      return fail(node, "'construct' must be a table: [construct], with a line with = [\"(2)\"]");
    for (const auto& [key, value] : *table) {
      if (key.str() != "with") {
        fail(value, fmt::format("unknown key '{}' in [construct]; the only one is 'with'", key.str()));
      } else {
        read_list("with", value, &pools_.construct);
      }
    }
  }

  void read_list(const std::string& key, const toml::node& node, std::vector<std::string>* texts) {
    const toml::array* array = node.as_array();
    if (array == nullptr)
      return fail(node, fmt::format("'{}' must be a list of strings: {} = [\"…\"]", key, quoted_key(key)));
    for (const toml::node& element : *array) {
      const std::optional<std::string> text = element.value_exact<std::string>();
      if (!text) return fail(element, fmt::format("'{}' must be a list of strings", key));
      if (text->find_first_not_of(" \t\n") == std::string::npos)
        return fail(element, fmt::format("'{}' has an empty text in its list", key));
      texts->push_back(*text);
    }
  }

  static std::string quoted_key(const std::string& key) {
    return key.find(':') == std::string::npos ? key : "\"" + key + "\"";
  }

  static std::string unknown(const std::string& key, const std::vector<std::string>& known) {
    const std::string nearest = nearest_name(key, known);
    return nearest.empty() ? fmt::format("unknown key '{}'; known are {}", key, fmt::join(known, ", "))
                           : fmt::format("unknown key '{}'; did you mean '{}'?", key, nearest);
  }

  // The first in the file: entries of a table come in alphabetical order.
  void fail(const toml::node& node, const std::string& what) {
    const uint32_t line = node.source().begin.line;
    if (!error_.empty() && line >= error_line_) return;
    error_line_ = line;
    error_ = fmt::format("{}:{}: {}", path_, line, what);
  }

  const std::string& path_;
  UserPools pools_;
  std::string error_;
  uint32_t error_line_ = 0;
};

}  // namespace

Expected<UserPools> read_user_pools(const std::string& path) {
  return UserPoolsReader(path).read();
}

}  // namespace heddle::generate
