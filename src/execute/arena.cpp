#include "execute/arena.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "trace/trace.h"

namespace heddle {
namespace {

using trace::ArenaHeader;
using trace::ArenaTableId;
using trace::TableId;
using trace::TableRecord;

constexpr uint64_t kPage = 4096;

// Tables that used less than this keep their pages between executions, which is faster than giving them back.
constexpr uint64_t kKeepBytes = uint64_t{16} << 20;

// Address space is free and pages come when touched, so these only bound runaway programs.
constexpr uint64_t capacity_of(TableId id, uint64_t event_capacity) {
  switch (id) {
    case TableId::kModules:
      return uint64_t{1} << 12;
    case TableId::kThreads:
    case TableId::kBlocked:
    case TableId::kRaces:
      return uint64_t{1} << 16;
    case TableId::kSites:
      return uint64_t{1} << 20;
    case TableId::kContexts:
      return uint64_t{1} << 22;
    case TableId::kPoints:
      return 1;  // never filled: a trace shows the points that were asked for, those of kInputPoints
    case TableId::kCoverage:
      return uint64_t{1} << 24;
    case TableId::kStrings:
    case TableId::kObjects:
    case TableId::kSteps:
    case TableId::kChoices:
    case TableId::kAlternatives:
      return uint64_t{1} << 26;
    case TableId::kEvents:
      return event_capacity;
    case TableId::kCount:
      break;
  }
  return 0;
}

constexpr uint64_t capacity_of(ArenaTableId id) {
  switch (id) {
    case ArenaTableId::kInputThreads:
    case ArenaTableId::kInputAsleep:
    case ArenaTableId::kInputStatements:
    case ArenaTableId::kInputEstimates:
    case ArenaTableId::kInputConstraints:
      return uint64_t{1} << 16;
    case ArenaTableId::kInputSteps:
      return uint64_t{1} << 26;
    case ArenaTableId::kInputPoints:
    case ArenaTableId::kLearned:
      return uint64_t{1} << 22;
    case ArenaTableId::kCount:
      break;
  }
  return 0;
}

size_t record_size_of(ArenaTableId id) {
  using namespace trace;
  switch (id) {
#define HEDDLE_X(name, type) \
  case ArenaTableId::name:   \
    return sizeof(type);
    HEDDLE_ARENA_TABLES(HEDDLE_X)
#undef HEDDLE_X
    case ArenaTableId::kCount:
      break;
  }
  return 0;
}

// An execution pays for every page it touches, and for the page tables of those. So tables that all
// executions fill begin next to the header, with room for what a small test needs, and of the others the
// small ones come first, for most to begin close together.
ArenaLayout make_layout(uint64_t event_capacity) {
  ArenaLayout layout;
  uint64_t at = sizeof(ArenaHeader);
  const auto place_small = [&](TableId id, uint64_t capacity) {
    layout.tables[static_cast<size_t>(id)] = {at, capacity, 0};
    at += capacity * trace::record_size(id);
  };
  place_small(TableId::kThreads, 16);
  place_small(TableId::kSites, 16);
  constexpr uint64_t kEnd = trace::kArenaHeaderRoom - trace::kArenaRuntimeRoom;
  place_small(TableId::kSteps, (kEnd - at) / trace::record_size(TableId::kSteps));

  struct Extent {
    TableRecord* table;
    uint64_t bytes;
  };
  std::vector<Extent> extents;
  for (size_t i = 0; i < trace::kArenaTableCount; ++i) {
    const auto id = static_cast<ArenaTableId>(i);
    TableRecord& table = layout.arena_tables[i];
    table.capacity = capacity_of(id);
    extents.push_back({&table, table.capacity * record_size_of(id)});
  }
  for (size_t i = 0; i < trace::kTableCount; ++i) {
    const auto id = static_cast<TableId>(i);
    const bool begins_small = layout.tables[i].capacity != 0;
    TableRecord& table = begins_small ? layout.larger_tables[i] : layout.tables[i];
    table.capacity = capacity_of(id, event_capacity);
    extents.push_back({&table, table.capacity * trace::record_size(id)});
  }
  std::ranges::stable_sort(extents, {}, &Extent::bytes);
  layout.size = trace::kArenaHeaderRoom;
  for (const Extent& extent : extents) {
    extent.table->offset = layout.size;
    layout.size = (layout.size + extent.bytes + kPage - 1) / kPage * kPage;
  }
  return layout;
}

Expected<UniqueFd> nameless_file(const std::string& folder) {
  UniqueFd fd(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (fd) return fd;
  // Some file systems (overlays of old kernels, network mounts) cannot make nameless files.
  std::string name = folder + "/.heddle-arena-XXXXXX";
  fd = UniqueFd(::mkostemp(name.data(), O_CLOEXEC));
  if (!fd) return usage_error(fmt::format("cannot write in folder {}: {}", folder, std::strerror(errno)));
  ::unlink(name.c_str());
  return fd;
}

// With less than this, the tables are better kept in memory: a trace that fits on such a disk is small.
constexpr uint64_t kLeastDisk = uint64_t{256} << 20;

uint64_t free_bytes(int fd) {
  struct statvfs disk{};
  return ::fstatvfs(fd, &disk) == 0 ? uint64_t{disk.f_bavail} * disk.f_frsize : 0;
}

// Writing to a page of a sparse file that finds no room is a bus error, so what the tool writes is given its
// room first. File systems that cannot do that are trusted.
Expected<void> reserve(int fd, uint64_t offset, uint64_t length) {
  if (length == 0 || ::fallocate(fd, 0, static_cast<off_t>(offset), static_cast<off_t>(length)) == 0 ||
      errno != ENOSPC) {
    return {};
  }
  return usage_error("there is no room left on the disk for the recording");
}

}  // namespace

Expected<Arena> Arena::create(const ArenaOptions& options) {
  UniqueFd fd;
  uint64_t event_capacity = options.event_capacity;
  bool on_disk = false;
  if (!options.folder.empty()) {
    Expected<UniqueFd> file = nameless_file(options.folder);
    if (!file) return tl::unexpected(file.error());
    if (const uint64_t room = free_bytes(file->get()); room >= kLeastDisk) {
      fd = std::move(*file);
      // Not filled to the brim: the other tables grow as well, and the trace is written beside them.
      event_capacity = room / 2 / sizeof(trace::EventRecord);
      on_disk = true;
    }
  }
  if (!on_disk) {
    fd = UniqueFd(::memfd_create("heddle-arena", MFD_CLOEXEC));
    if (!fd) return internal_error(fmt::format("cannot create shared memory: {}", std::strerror(errno)));
  }

  const ArenaLayout layout = make_layout(event_capacity);
  if (::ftruncate(fd.get(), static_cast<off_t>(layout.size)) != 0) {
    return internal_error(fmt::format("cannot reserve {} bytes of shared memory: {}; see `heddle doctor`",
                                      layout.size, std::strerror(errno)));
  }
  if (on_disk) {
    if (const Expected<void> room = reserve(fd.get(), 0, trace::kArenaHeaderRoom); !room)
      return tl::unexpected(room.error());
  }
  void* memory =
      ::mmap(nullptr, layout.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd.get(), 0);
  if (memory == MAP_FAILED) {
    return internal_error(fmt::format("cannot map {} bytes of shared memory: {}; see `heddle doctor`",
                                      layout.size, std::strerror(errno)));
  }

  auto* header = new (memory) ArenaHeader{};
  std::memcpy(header->magic, trace::kArenaMagic, sizeof(header->magic));
  header->version = trace::kFormatVersion;
  header->header_size = sizeof(ArenaHeader);
  header->arena_size = layout.size;
  header->request_fd = -1;
  header->reply_fd = -1;
  header->cpu = -1;
  std::ranges::copy(layout.tables, header->tables);
  std::ranges::copy(layout.arena_tables, header->arena_tables);
  std::ranges::copy(layout.larger_tables, header->larger_tables);
  return Arena(std::move(fd), header, layout, on_disk);
}

Arena& Arena::operator=(Arena&& other) noexcept {
  if (this != &other) {
    unmap();
    fd_ = std::move(other.fd_);
    header_ = std::exchange(other.header_, nullptr);
    layout_ = other.layout_;
    on_disk_ = other.on_disk_;
  }
  return *this;
}

bool Arena::is_disk_full() const {
  return on_disk_ && free_bytes(fd_.get()) < kPage;
}

void Arena::reset() {
  const auto give_back = [this](const TableRecord& table, const TableRecord& fresh, size_t record_size) {
    const uint64_t used = std::min(table.count, fresh.capacity) * record_size;
    if (used <= kKeepBytes) return;
    const uint64_t begin = fresh.offset + kKeepBytes;
    const uint64_t length = (used - kKeepBytes + kPage - 1) / kPage * kPage;
    ::fallocate(fd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                static_cast<off_t>(length));
  };
  for (size_t i = 0; i < trace::kTableCount; ++i) {
    const TableRecord& larger = layout_.larger_tables[i];
    give_back(header_->tables[i], larger.capacity != 0 ? larger : layout_.tables[i],
              trace::record_size(static_cast<TableId>(i)));
    header_->tables[i] = layout_.tables[i];
    header_->larger_tables[i] = larger;
  }
  // Inputs stay, but where they lie is restored: a broken program may have written over it.
  for (size_t i = 0; i < trace::kArenaTableCount; ++i) {
    TableRecord& table = header_->arena_tables[i];
    const TableRecord& fresh = layout_.arena_tables[i];
    table = {fresh.offset, fresh.capacity, std::min(table.count, fresh.capacity)};
  }
  constexpr auto kLearned = static_cast<size_t>(ArenaTableId::kLearned);
  give_back(header_->arena_tables[kLearned], layout_.arena_tables[kLearned], sizeof(trace::PointRecord));
  header_->arena_tables[kLearned] = layout_.arena_tables[kLearned];

  header_->start_error = 0;
  header_->wait_status = 0;
  header_->accesses = 0;
  header_->cpu_nanoseconds = 0;
  header_->max_rss_kb = 0;
  header_->events_dropped = 0;
  header_->saw_instrumented = 0;
  header_->saw_coverage = 0;
  header_->saw_threads = 0;
  header_->outcome = {};
}

Expected<void> Arena::fill_bytes(ArenaTableId id, const void* data, size_t count, size_t record_size) {
  TableRecord& table = header_->arena_tables[static_cast<size_t>(id)];
  if (count > table.capacity) {
    return usage_error(
        fmt::format("the schedule is too long: {} entries, and at most {} fit", count, table.capacity));
  }
  if (on_disk_) {
    if (Expected<void> room = reserve(fd_.get(), table.offset, count * record_size); !room) return room;
  }
  std::memcpy(reinterpret_cast<char*>(header_) + table.offset, data, count * record_size);
  table.count = count;
  return {};
}

void Arena::unmap() {
  if (header_ != nullptr) ::munmap(header_, size());
  header_ = nullptr;
}

}  // namespace heddle
