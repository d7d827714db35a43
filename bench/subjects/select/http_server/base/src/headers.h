// The header fields of a message: names without regard to case, in the order in which they came.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace web {

class Headers {
 public:
  using Field = std::pair<std::string, std::string>;

  /// Adds a field; others of that name stay.
  void add(std::string_view name, std::string_view value);
  /// Replaces all fields of that name by one, at the place of the first of them.
  void set(std::string_view name, std::string_view value);
  /// Returns how many fields were removed.
  std::size_t remove(std::string_view name);

  /// The first value of that name.
  std::optional<std::string_view> get(std::string_view name) const;
  /// All values of that name, joined by ", " as RFC 9110 section 5.3 allows.
  std::string joined(std::string_view name) const;
  std::vector<std::string_view> all(std::string_view name) const;
  bool contains(std::string_view name) const { return get(name).has_value(); }
  /// Whether the comma-separated list under `name` has this member, e.g. Connection: keep-alive, upgrade.
  bool has_token(std::string_view name, std::string_view token) const;

  std::size_t size() const { return fields_.size(); }
  bool empty() const { return fields_.empty(); }
  std::vector<Field>::const_iterator begin() const { return fields_.begin(); }
  std::vector<Field>::const_iterator end() const { return fields_.end(); }

  /// Appends "Name: value\r\n" for each field.
  void write_to(std::string& out) const;

 private:
  std::vector<Field> fields_;
};

}  // namespace web
