#include "symbolize/location_names.h"

#include <pthread.h>
#include <semaphore.h>

#include <algorithm>
#include <cctype>
#include <condition_variable>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace heddle {
namespace {

using trace::EventKind;
using trace::ObjectKind;

// What is allocated together with something of the library's (a reference count, a list node) is aligned.
constexpr uint64_t kEmbeddedAlignment = 8;

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// How sure a part is what was accessed, by size and place.
enum class Fit {
  kNone,
  kPossible,  // the place in its class says nothing: on a stack, or embedded in a larger object
  kExact,     // the object is one such class, or an array of them
};

struct Match {
  Fit fit = Fit::kNone;
  std::optional<uint64_t> index;  // of the element, if that is known
  bool fills_object = false;
};

// Whether something of this size can be the object of a synchronisation operation: the types of pthreads, and
// those of the C++ library that hold one. What locks them, such as std::unique_lock, has other sizes.
bool is_sync_size(EventKind kind, uint64_t size) {
  switch (kind) {
    case EventKind::kLock:
    case EventKind::kUnlock:
    case EventKind::kTryLock:
      return size == sizeof(pthread_mutex_t) || size == sizeof(pthread_rwlock_t);
    case EventKind::kReadLock:
    case EventKind::kReadUnlock:
    case EventKind::kTryReadLock:
      return size == sizeof(pthread_rwlock_t);
    case EventKind::kCondWait:
    case EventKind::kCondWake:
    case EventKind::kNotifyOne:
    case EventKind::kNotifyAll:
      return size == sizeof(pthread_cond_t) || size == sizeof(std::condition_variable_any);
    case EventKind::kSemWait:
    case EventKind::kSemTryWait:
    case EventKind::kSemPost:
      return size == sizeof(sem_t);
    case EventKind::kBarrierArrive:
    case EventKind::kBarrierLeave:
      return size == sizeof(pthread_barrier_t);
    default:
      return false;
  }
}

bool is_access(EventKind kind) {
  return kind == EventKind::kRead || kind == EventKind::kWrite || kind == EventKind::kAtomicRead ||
         kind == EventKind::kAtomicWrite || kind == EventKind::kAtomicUpdate;
}

Match match_in_heap(const NamedPart& part, const trace::ObjectRecord& object, uint64_t offset,
                    const LocationUse& use) {
  if (part.owner.empty() || part.owner_size == 0) return {};
  if (object.size % part.owner_size == 0) {
    const uint64_t in_owner = offset % part.owner_size;
    if (in_owner < part.offset || !covers(part, in_owner - part.offset, use)) return {};
    return {Fit::kExact, (in_owner - part.offset) / part.size, object.size == part.owner_size};
  }
  const bool is_embedded = offset >= part.offset && (offset - part.offset) % kEmbeddedAlignment == 0 &&
                           offset - part.offset + part.owner_size <= object.size;
  return is_embedded && covers(part, 0, use) ? Match{Fit::kPossible} : Match{};
}

Match match(const NamedPart& part, const trace::ObjectRecord& object, uint64_t offset,
            const LocationUse& use) {
  if (object.kind == ObjectKind::kHeap) return match_in_heap(part, object, offset, use);
  // How far into an opaque variable the location lies is not known on a stack.
  const bool is_whole = !is_access(use.kind) || use.size == part.size;
  return is_whole && covers(part, 0, use) ? Match{Fit::kPossible} : Match{};
}

// What one line says about the location.
struct Testimony {
  std::map<std::string, std::vector<std::pair<const NamedPart*, Match>>> matches;  // by name
  std::set<std::string> mentioned;  // all names of the line that mean something
  bool is_sync = false;             // then the size alone tells what is meant from what is not

  bool has(const std::string& name) const { return matches.contains(name); }
};

Testimony hear(const LocationUse& use, const trace::ObjectRecord& object, uint64_t offset) {
  Testimony testimony;
  testimony.is_sync = !is_access(use.kind);
  const std::set<std::string_view> words = words_of(use.source);
  for (const NamedPart& part : *use.names) {
    if (!words.contains(part.name)) continue;
    testimony.mentioned.insert(part.name);
    const Match found = match(part, object, offset, use);
    if (found.fit != Fit::kNone) testimony.matches[part.name].emplace_back(&part, found);
  }
  return testimony;
}

// The class is told only if all parts that this name can mean are of one class.
LocationName describe(const std::string& name,
                      const std::vector<std::pair<const NamedPart*, Match>>& matches) {
  const NamedPart& first = *matches.front().first;
  LocationName result{name, first.owner, matches.front().second.fills_object, first.offset, first.owner_size};
  for (const auto& [part, found] : matches) {
    if (part->owner == result.owner) continue;
    return {.name = name, .owner = "", .fills_object = false};
  }
  if (const auto& [part, found] = matches.front(); part->count > 1) {
    result.name += found.index ? fmt::format("[{}]", *found.index) : "[…]";
  }
  return result;
}

}  // namespace

std::set<std::string_view> words_of(std::string_view line) {
  std::set<std::string_view> words;
  char quote = 0;
  for (size_t i = 0; i < line.size();) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
      ++i;
    } else if (line.substr(i).starts_with("//")) {
      break;
    } else if (is_word_character(c)) {
      const size_t begin = i;
      // A quote within a number separates its digits.
      const bool is_number = std::isdigit(static_cast<unsigned char>(c)) != 0;
      while (i < line.size() && (is_word_character(line[i]) || (is_number && line[i] == '\''))) ++i;
      if (!is_number) words.insert(line.substr(begin, i - begin));
    } else {
      if (c == '"' || c == '\'') quote = c;
      ++i;
    }
  }
  return words;
}

bool covers(const NamedPart& part, uint64_t inner, const LocationUse& use) {
  if (inner >= part.size * part.count) return false;
  if (!is_access(use.kind)) return inner == 0 && is_sync_size(use.kind, part.size);
  if (part.is_opaque) return inner % part.size + use.size <= part.size;
  return inner % part.size == 0 && use.size == part.size;
}

std::optional<LocationName> choose_location_name(const std::vector<LocationUse>& uses,
                                                 const trace::ObjectRecord& object, uint64_t offset) {
  std::vector<Testimony> testimonies;
  for (const LocationUse& use : uses) {
    Testimony testimony = hear(use, object, offset);
    if (!testimony.matches.empty()) testimonies.push_back(std::move(testimony));
  }
  if (testimonies.empty()) return std::nullopt;
  std::vector<std::string> agreed;
  for (const auto& [name, matches] : testimonies.front().matches) {
    const bool all = std::all_of(testimonies.begin(), testimonies.end(),
                                 [&, &name = name](const Testimony& each) { return each.has(name); });
    if (all) agreed.push_back(name);
  }
  // What several threads use on a stack is rather a member of an object there than a parameter of the line.
  if (agreed.size() > 1 && object.kind == ObjectKind::kStack) {
    std::erase_if(agreed, [&](const std::string& name) {
      const auto& matches = testimonies.front().matches.at(name);
      return std::any_of(matches.begin(), matches.end(),
                         [](const auto& each) { return each.first->owner.empty(); });
    });
  }
  if (agreed.size() != 1) return std::nullopt;

  // Parts that fit exactly count more than those that only could.
  auto matches = testimonies.front().matches.at(agreed[0]);
  const auto is_exact = [](const auto& each) { return each.second.fit == Fit::kExact; };
  const bool has_exact = std::any_of(matches.begin(), matches.end(), is_exact);
  if (has_exact) std::erase_if(matches, [&](const auto& each) { return !is_exact(each); });
  const bool is_sure = has_exact || testimonies.size() > 1 || testimonies.front().is_sync ||
                       testimonies.front().mentioned.size() == 1;
  if (!is_sure) return std::nullopt;
  return describe(agreed[0], matches);
}

}  // namespace heddle
