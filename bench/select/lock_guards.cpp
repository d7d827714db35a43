#include "lock_guards.h"

#include <algorithm>
#include <array>

namespace heddle::bench {
namespace {

constexpr std::array<std::string_view, 4> kGuards{"lock_guard", "unique_lock", "scoped_lock", "shared_lock"};
uint32_t after_template_arguments(const SourceText& source, uint32_t token) {
  if (source[token] != "<") return token;
  int depth = 0;
  for (; token < source.size() && source[token] != ";"; ++token) {
    if (source[token] == "<") ++depth;
    if (source[token] == ">") --depth;
    if (source[token] == ">>") depth -= 2;
    if (depth <= 0) return token + 1;
  }
  return kNoToken;
}

}  // namespace

std::optional<Guard> guard_at(const SourceText& source, uint32_t token) {
  if (std::ranges::find(kGuards, source[token]) == kGuards.end()) return std::nullopt;
  Guard guard{.begin = token};
  guard.name = after_template_arguments(source, token + 1);
  if (guard.name == kNoToken || !source.at(guard.name).is_identifier()) return std::nullopt;
  guard.open = guard.name + 1;
  if ((source[guard.open] != "(" && source[guard.open] != "{") || source.at(guard.open).match == kNoToken)
    return std::nullopt;
  guard.close = source.at(guard.open).match;
  guard.end = guard.close + 1;
  if (source[guard.end] != ";") return std::nullopt;
  if (guard.begin >= 2 && source[guard.begin - 1] == "::") guard.begin -= 2;
  if (guard.begin >= 1 && source[guard.begin - 1] == "const") --guard.begin;
  if (!source.begins_statement(guard.begin)) return std::nullopt;
  return guard;
}

bool uses(const SourceText& source, std::string_view name, uint32_t first, uint32_t last) {
  for (uint32_t token = first; token <= last && token < source.size(); ++token) {
    const bool is_member = token > 0 && (source[token - 1] == "." || source[token - 1] == "->");
    if (source[token] == name && source.at(token).is_identifier() && !is_member) return true;
  }
  return false;
}

}  // namespace heddle::bench
