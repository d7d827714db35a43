// Arena: the tool's side of the shared memory that trace/arena.h describes.
//
// Tables are laid out far apart in a sparse file, so that capacities can be generous: only pages that were
// written cost memory (a memfd) or disk (a nameless file, for recordings that do not fit in memory). Nothing
// is left behind, however the tool ends.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "execute/unique_fd.h"
#include "support/error.h"
#include "trace/arena.h"

namespace heddle {

struct ArenaOptions {
  // A million events (32 MB if all are used) hold the story of any unit test; longer ones wrap around in ring
  // mode, and lose their beginning.
  uint64_t event_capacity = uint64_t{1} << 20;
  // Keep the tables in a nameless file in this folder instead of in memory, unless there is little room. The
  // capacity for events is then what the disk can hold.
  std::string folder;
};

// Where the empty tables lie.
struct ArenaLayout {
  std::array<trace::TableRecord, trace::kTableCount> tables{};
  std::array<trace::TableRecord, trace::kArenaTableCount> arena_tables{};
  std::array<trace::TableRecord, trace::kTableCount> larger_tables{};
  uint64_t size = 0;
};

class Arena {
 public:
  static Expected<Arena> create(const ArenaOptions& options);

  Arena(Arena&& other) noexcept
      : fd_(std::move(other.fd_)),
        header_(std::exchange(other.header_, nullptr)),
        layout_(other.layout_),
        on_disk_(other.on_disk_) {}
  Arena& operator=(Arena&& other) noexcept;
  ~Arena() { unmap(); }

  trace::ArenaHeader& header() { return *header_; }
  const trace::ArenaHeader& header() const { return *header_; }
  int fd() const { return fd_.get(); }
  uint64_t size() const { return layout_.size; }
  // Whoever writes to an arena on a full disk dies of SIGBUS.
  bool is_disk_full() const;

  // The records of a table that are valid now. `Record` is the type that HEDDLE_TABLES gives for `id`.
  template <typename Record>
  std::span<const Record> table(trace::TableId id) const {
    return records<Record>(header_->tables[static_cast<size_t>(id)]);
  }
  template <typename Record>
  std::span<const Record> table(trace::ArenaTableId id) const {
    return records<Record>(header_->arena_tables[static_cast<size_t>(id)]);
  }

  // Replaces the contents of an input table; fails if they do not fit.
  template <typename Record>
  Expected<void> fill(trace::ArenaTableId id, std::span<const Record> content) {
    return fill_bytes(id, content.data(), content.size(), sizeof(Record));
  }

  // Empties every table that the runtime fills, and its answers, before the next execution, and puts every
  // table back to its place. Gives back the memory of tables that had grown large.
  void reset();

 private:
  Arena(UniqueFd fd, trace::ArenaHeader* header, const ArenaLayout& layout, bool on_disk)
      : fd_(std::move(fd)), header_(header), layout_(layout), on_disk_(on_disk) {}

  // The program may have been killed at any time, or have scribbled over the header: never read past a table.
  template <typename Record>
  std::span<const Record> records(const trace::TableRecord& table) const {
    if (table.offset > size() || table.capacity > (size() - table.offset) / sizeof(Record)) return {};
    const auto* base = reinterpret_cast<const char*>(header_) + table.offset;
    return {reinterpret_cast<const Record*>(base), std::min(table.count, table.capacity)};
  }
  Expected<void> fill_bytes(trace::ArenaTableId id, const void* data, size_t count, size_t record_size);
  void unmap();

  UniqueFd fd_;
  trace::ArenaHeader* header_ = nullptr;
  ArenaLayout layout_;
  bool on_disk_ = false;
};

}  // namespace heddle
