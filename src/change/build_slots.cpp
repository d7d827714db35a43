#include "change/build_slots.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "support/interruption.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "heddle build slot 2";

Expected<std::unique_ptr<SlotLock>> open_lock(const fs::path& file) {
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return usage_error(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
  return std::make_unique<SlotLock>(fd);
}

// Nothing: somebody else has it.
std::shared_ptr<SlotLock> try_lock(const fs::path& home, int how) {
  Expected<std::unique_ptr<SlotLock>> lock = open_lock(home / "lock");
  if (!lock || ::flock((*lock)->fd(), how | LOCK_NB) != 0) return nullptr;
  return std::move(*lock);
}

Expected<void> wait_for(const SlotLock& lock, int how, const fs::path& file) {
  while (::flock(lock.fd(), how) != 0) {
    if (was_interrupted()) return usage_error("interrupted");
    if (errno != EINTR)
      return usage_error(fmt::format("cannot lock {}: {}", file.string(), std::strerror(errno)));
  }
  return {};
}

template <typename Number>
Number number_in(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// What a build tool has made names its own folder in many places.
std::string place_of(const fs::path& home) {
  std::error_code failed;
  const fs::path place = fs::weakly_canonical(home, failed);
  return failed ? home.string() : place.string();
}

// Fields end in NUL, which no path contains.
std::string print(const SlotState& state, const fs::path& home) {
  std::string text(kFormat);
  const auto add = [&](const std::string& field) { text.append(1, '\0').append(field); };
  add(place_of(home));
  add(std::to_string(state.build));
  add(std::to_string(state.configuration));
  add(std::to_string(static_cast<int>(state.phase)));
  for (const auto& [path, file] : state.files) {
    add(path);
    add(file.id);
    add(std::to_string(file.written));
    add(std::to_string(file.size));
  }
  return text;
}

// Of a slot without such a file, or with another's, or one that was made in another place, nothing is known.
SlotState read_state(const fs::path& home) {
  std::ifstream stream(home / "state", std::ios::binary);
  std::stringstream content;
  content << stream.rdbuf();
  const std::string text = content.str();
  std::vector<std::string_view> fields;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t end = std::min(rest.find('\0'), rest.size());
    fields.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  SlotState state;
  constexpr size_t kHead = 5;
  if (fields.size() < kHead || fields[0] != kFormat || (fields.size() - kHead) % 4 != 0) return state;
  if (fields[1] != place_of(home)) return state;
  state.build = number_in<uint64_t>(fields[2]);
  state.configuration = number_in<uint64_t>(fields[3]);
  state.phase = static_cast<SlotPhase>(std::min(number_in<unsigned>(fields[4]), 3U));
  for (size_t i = kHead; i < fields.size(); i += 4) {
    state.files[std::string(fields[i])] = {std::string(fields[i + 1]), number_in<int64_t>(fields[i + 2]),
                                           number_in<uint64_t>(fields[i + 3])};
  }
  return state;
}

// How many files would have to be written or removed.
size_t difference(const SlotState& state, const std::map<std::string, std::string>& files) {
  size_t same = 0;
  for (const auto& [path, id] : files) {
    const auto there = state.files.find(path);
    if (there != state.files.end() && there->second.id == id) ++same;
  }
  return files.size() + state.files.size() - 2 * same;
}

fs::file_time_type last_use(const fs::path& home) {
  std::error_code failed;
  const fs::file_time_type time = fs::last_write_time(home / "lock", failed);
  return failed ? fs::file_time_type::min() : time;
}

void note_use(const fs::path& home) {
  std::error_code failed;
  fs::last_write_time(home / "lock", fs::file_time_type::clock::now(), failed);
}

// Before there were slots, every build had a folder that was named by a number.
bool is_old_build(const std::string& name) {
  return name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

SlotLock::~SlotLock() {
  ::close(fd_);
}

fs::path BuildSlots::home(size_t number) const {
  return folder_ / fmt::format("slot-{}", number);
}

// As it is now, not locked.
BuildSlot BuildSlots::slot_at(size_t number) const {
  BuildSlot slot;
  slot.home = home(number);
  slot.state = read_state(slot.home);
  return slot;
}

Expected<std::unique_ptr<SlotLock>> BuildSlots::lock_all() const {
  Expected<std::unique_ptr<SlotLock>> lock = open_lock(folder_ / "lock");
  if (!lock) return lock;
  if (const Expected<void> locked = wait_for(**lock, LOCK_EX, folder_ / "lock"); !locked)
    return tl::unexpected(locked.error());
  return lock;
}

Expected<BuildSlot> BuildSlots::take(uint64_t build, uint64_t configuration,
                                     const std::map<std::string, std::string>& files,
                                     const std::function<void(const std::string&)>& progress) {
  bool is_said = false;
  for (;;) {
    Expected<std::unique_ptr<SlotLock>> all = lock_all();
    if (!all) return tl::unexpected(all.error());
    Expected<BuildSlot> slot = choose(build, configuration, files);
    if (!slot || slot->lock != nullptr) return slot;
    all->reset();
    if (progress && !is_said) progress("another heddle is building this revision; waiting for it");
    is_said = true;
    const Expected<std::unique_ptr<SlotLock>> lock = open_lock(slot->home / "lock");
    if (!lock) return tl::unexpected(lock.error());
    if (const Expected<void> waited = wait_for(**lock, LOCK_SH, slot->home / "lock"); !waited)
      return tl::unexpected(waited.error());
  }
}

std::optional<BuildSlot> BuildSlots::find(uint64_t build) const {
  const Expected<std::unique_ptr<SlotLock>> all = lock_all();
  std::error_code failed;
  for (size_t number = 0; all && (number < kKept || fs::exists(home(number), failed)); ++number) {
    BuildSlot slot = slot_at(number);
    slot.is_finished = slot.state.build == build && slot.state.phase == SlotPhase::kFinished;
    if (!slot.is_finished || (slot.lock = try_lock(slot.home, LOCK_SH)) == nullptr) continue;
    note_use(slot.home);
    return slot;
  }
  return std::nullopt;
}

// A slot without a lock: another process is making the build there.
Expected<BuildSlot> BuildSlots::choose(uint64_t build, uint64_t configuration,
                                       const std::map<std::string, std::string>& files) const {
  std::error_code failed;
  size_t count = 0;
  for (; count < kKept || fs::exists(home(count), failed); ++count) {
    BuildSlot slot = slot_at(count);
    if (slot.state.build != build || slot.state.phase == SlotPhase::kEmpty) continue;
    slot.is_finished = slot.state.phase == SlotPhase::kFinished;
    slot.lock = try_lock(slot.home, slot.is_finished ? LOCK_SH : LOCK_EX);
    if (slot.lock != nullptr) note_use(slot.home);
    return slot;
  }
  std::optional<BuildSlot> best;
  size_t least = 0;
  for (size_t number = 0; number < count; ++number) {
    BuildSlot slot = slot_at(number);
    slot.lock = try_lock(slot.home, LOCK_EX);
    if (slot.lock == nullptr) continue;
    // What was made otherwise is made anew, as in an empty slot, but something is lost by it.
    const bool is_useful = slot.state.configuration == configuration;
    const size_t cost = is_useful ? std::min(difference(slot.state, files), files.size()) : files.size();
    const bool is_empty = slot.state.phase == SlotPhase::kEmpty;
    const bool is_better = !best || cost < least ||
                           (cost == least && best->state.phase != SlotPhase::kEmpty &&
                            (is_empty || last_use(slot.home) < last_use(best->home)));
    if (!is_better) continue;
    best = std::move(slot);
    least = cost;
  }
  if (!best) {
    best = slot_at(count);
    best->lock = try_lock(best->home, LOCK_EX);
    if (best->lock == nullptr)
      return usage_error(fmt::format("cannot lock {}", (best->home / "lock").string()));
  }
  note_use(best->home);
  // From now on whoever wants this build finds it here, and waits.
  BuildSlot next = *best;
  next.state.build = build;
  next.state.phase = SlotPhase::kBuilding;
  if (const Expected<void> saved = save(next); !saved) return tl::unexpected(saved.error());
  return std::move(*best);
}

Expected<void> BuildSlots::save(const BuildSlot& slot) const {
  std::error_code failed;
  const fs::path next = slot.home / "state.next";
  std::ofstream stream(next, std::ios::binary);
  stream << print(slot.state, slot.home);
  stream.close();
  if (stream) fs::rename(next, slot.home / "state", failed);
  if (!stream) failed = std::error_code(errno, std::generic_category());
  if (failed)
    return usage_error(fmt::format("cannot write {}: {}", (slot.home / "state").string(), failed.message()));
  return {};
}

Expected<void> BuildSlots::finish(BuildSlot* slot, SlotPhase phase) const {
  // A lock is made a shared one in two steps; nobody must take it in between.
  const Expected<std::unique_ptr<SlotLock>> all = lock_all();
  if (!all) return tl::unexpected(all.error());
  slot->state.phase = phase;
  if (const Expected<void> saved = save(*slot); !saved) return saved;
  slot->is_finished = phase == SlotPhase::kFinished;
  ::flock(slot->lock->fd(), LOCK_SH);
  remove_surplus();
  return {};
}

void BuildSlots::remove_surplus() const {
  std::error_code failed;
  for (size_t number = kKept; fs::exists(home(number), failed); ++number) {
    if (try_lock(home(number), LOCK_EX) != nullptr) fs::remove_all(home(number), failed);
  }
  for (const auto& entry : fs::directory_iterator(folder_, failed)) {
    if (is_old_build(entry.path().filename().string())) {
      std::error_code ignored;
      fs::remove_all(entry.path(), ignored);
    }
  }
}

}  // namespace heddle
