#include "history/activity_code.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr size_t kIdBytes = 8;
constexpr uint64_t kMostSets = uint64_t{1} << 24;

void append_number(std::string* bytes, uint64_t number) {
  while (number >= 0x80) {
    *bytes += static_cast<char>(number | 0x80);
    number >>= 7;
  }
  *bytes += static_cast<char>(number);
}

// Reads what append_number() and append_id() wrote. After the end, or a number that is none, all is 0.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  uint64_t number() {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      number |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return number;
    }
    good_ = false;
    rest_ = {};
    return 0;
  }
  uint32_t small_number() {
    const uint64_t value = number();
    if (value > UINT32_MAX) good_ = false;
    return static_cast<uint32_t>(value);
  }
  uint64_t id() {
    if (rest_.size() < kIdBytes) {
      good_ = false;
      rest_ = {};
      return 0;
    }
    const uint64_t id = id_at(rest_, 0);
    rest_.remove_prefix(kIdBytes);
    return id;
  }
  bool good() const { return good_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

void append_id(std::string* ids, uint64_t id) {
  for (size_t i = 0; i < kIdBytes; ++i) *ids += static_cast<char>(id >> 8 * i);
}

uint64_t id_at(std::string_view ids, size_t index) {
  uint64_t id = 0;
  for (size_t i = 0; i < kIdBytes; ++i)
    id |= uint64_t{static_cast<unsigned char>(ids[index * kIdBytes + i])} << 8 * i;
  return id;
}

std::string to_text(const ThreadSet& set) {
  return fmt::format("{} {}", set.count, fmt::join(set.names, " "));
}

ThreadSet parse_thread_set(std::string_view text) {
  ThreadSet set;
  const char* const end = text.data() + text.size();
  const char* at = std::from_chars(text.data(), end, set.count).ptr;
  while (at != end) {
    const std::string_view rest(at + 1, static_cast<size_t>(end - at - 1));
    const std::string_view name = rest.substr(0, rest.find(' '));
    if (!name.empty()) set.names.emplace_back(name);
    at = name.data() + name.size();
  }
  return set;
}

bool has_different_threads(const ThreadSet& a, const ThreadSet& b) {
  if (a.count == 0 || b.count == 0) return false;
  return a.count > 1 || b.count > 1 || a.names != b.names;
}

ThreadSet united(const ThreadSet& one, const ThreadSet& other) {
  ThreadSet all = one;
  for (const std::string& name : other.names)
    if (std::find(all.names.begin(), all.names.end(), name) == all.names.end()) all.names.push_back(name);
  all.count = std::max({one.count, other.count, static_cast<uint32_t>(all.names.size())});
  if (all.names.size() > kNamedThreads) all.names.resize(kNamedThreads);
  return all;
}

std::string encode(const FunctionActivity& activity,
                   const std::function<uint64_t(const std::string&)>& name) {
  std::string bytes;
  const bool has_sets = activity.thread_sets.size() != 1;  // a single one need not be repeated
  append_number(&bytes, activity.thread_sets.size());
  for (const ThreadSet& set : activity.thread_sets) append_id(&bytes, name(to_text(set)));
  append_number(&bytes, activity.blocks.size());
  uint32_t line = 0;
  for (const FunctionActivity::Block& block : activity.blocks) {
    append_number(&bytes, block.line - line);
    append_number(&bytes, block.column);
    if (has_sets) append_number(&bytes, block.threads);
    line = block.line;
  }
  append_number(&bytes, activity.accesses.size());
  line = 0;
  for (const FunctionActivity::Access& access : activity.accesses) {
    append_number(&bytes, access.line - line);
    append_number(&bytes, access.column);
    append_number(&bytes, access.kinds);
    if (has_sets) append_number(&bytes, access.threads);
    append_id(&bytes, name(access.variable));
    line = access.line;
  }
  return bytes;
}

bool decode(std::string_view bytes, const std::function<std::string(uint64_t)>& text,
            FunctionActivity* activity) {
  Reader reader(bytes);
  const uint64_t sets = reader.number();
  if (sets > kMostSets) return false;
  for (uint64_t i = 0; i < sets && reader.good(); ++i)
    activity->thread_sets.push_back(parse_thread_set(text(reader.id())));
  const bool has_sets = sets != 1;
  const uint64_t blocks = reader.number();
  uint32_t line = 0;
  for (uint64_t i = 0; i < blocks && reader.good(); ++i) {
    FunctionActivity::Block block;
    block.line = line += reader.small_number();
    block.column = reader.small_number();
    if (has_sets) block.threads = reader.small_number();
    if (block.threads >= sets) return false;
    activity->blocks.push_back(block);
  }
  const uint64_t accesses = reader.number();
  line = 0;
  for (uint64_t i = 0; i < accesses && reader.good(); ++i) {
    FunctionActivity::Access access;
    access.line = line += reader.small_number();
    access.column = reader.small_number();
    access.kinds = reader.small_number();
    if (has_sets) access.threads = reader.small_number();
    if (access.threads >= sets) return false;
    access.variable = text(reader.id());
    activity->accesses.push_back(std::move(access));
  }
  return reader.good() && reader.at_end();
}

}  // namespace heddle
