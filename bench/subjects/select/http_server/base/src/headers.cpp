#include "headers.h"

#include <algorithm>

#include "text.h"

namespace web {

void Headers::add(std::string_view name, std::string_view value) {
  fields_.emplace_back(name, value);
}

void Headers::set(std::string_view name, std::string_view value) {
  bool placed = false;
  for (auto field = fields_.begin(); field != fields_.end();) {
    if (!equals_ignoring_case(field->first, name)) {
      ++field;
    } else if (!placed) {
      field->second = value;
      placed = true;
      ++field;
    } else {
      field = fields_.erase(field);
    }
  }
  if (!placed) add(name, value);
}

std::size_t Headers::remove(std::string_view name) {
  return std::erase_if(fields_,
                       [name](const Field& field) { return equals_ignoring_case(field.first, name); });
}

std::optional<std::string_view> Headers::get(std::string_view name) const {
  for (const Field& field : fields_) {
    if (equals_ignoring_case(field.first, name)) return field.second;
  }
  return std::nullopt;
}

std::vector<std::string_view> Headers::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const Field& field : fields_) {
    if (equals_ignoring_case(field.first, name)) values.push_back(field.second);
  }
  return values;
}

std::string Headers::joined(std::string_view name) const {
  std::string text;
  for (const std::string_view value : all(name)) {
    if (!text.empty()) text += ", ";
    text += value;
  }
  return text;
}

bool Headers::has_token(std::string_view name, std::string_view token) const {
  for (const std::string_view value : all(name)) {
    for (const std::string_view part : split(value, ',')) {
      if (equals_ignoring_case(trim(part), token)) return true;
    }
  }
  return false;
}

void Headers::write_to(std::string& out) const {
  for (const auto& [name, value] : fields_) {
    out += name;
    out += ": ";
    out += value;
    out += "\r\n";
  }
}

}  // namespace web
