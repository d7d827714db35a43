#include "trace/thread_tree.h"

#include <charconv>

#include "support/check.h"
#include "trace/names.h"

namespace heddle::trace {
namespace {

// Calls `visit(ordinal)` for every number of a path; false if the text is no path.
template <typename Visit>
bool walk_path(std::string_view path, Visit visit) {
  constexpr std::string_view kRoot = "main";
  if (!path.starts_with(kRoot)) {
    return false;
  }
  path.remove_prefix(kRoot.size());
  while (!path.empty()) {
    // Numbers are written one way only, so that equal threads have equal names.
    if (path.size() < 2 || path[0] != '/' || path[1] < '1' || path[1] > '9') {
      return false;
    }
    uint32_t ordinal = 0;
    const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), ordinal);
    if (error != std::errc()) {
      return false;
    }
    visit(ordinal);
    path.remove_prefix(static_cast<size_t>(end - path.data()));
  }
  return true;
}

}  // namespace

uint32_t ThreadTree::child(uint32_t parent, uint32_t ordinal) {
  HEDDLE_CHECK(parent < records_.size());
  const auto [entry, is_new] =
      entries_.try_emplace({parent, ordinal}, static_cast<uint32_t>(records_.size()));
  if (is_new) {
    records_.push_back({parent, ordinal});
  }
  return entry->second;
}

std::optional<uint32_t> ThreadTree::intern(std::string_view path) {
  if (!is_thread_path(path)) {
    return std::nullopt;
  }
  uint32_t entry = 0;
  walk_path(path, [&](uint32_t ordinal) { entry = child(entry, ordinal); });
  return entry;
}

std::string ThreadTree::name(uint32_t entry) const {
  return thread_path(records_, entry);
}

bool is_thread_path(std::string_view text) {
  return walk_path(text, [](uint32_t) {});
}

}  // namespace heddle::trace
