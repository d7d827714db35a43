#include "predict/serializability.h"

#include <algorithm>

#include "trace/granule.h"

namespace heddle {
namespace {

constexpr uint32_t kBytes = trace::kGranuleBytes;

void join(uint32_t* into, const uint32_t* from, size_t width) {
  for (size_t i = 0; i < width; ++i) into[i] = std::max(into[i], from[i]);
}

void join_others(uint32_t* into, const uint32_t* from, size_t except, size_t width) {
  const uint32_t kept = into[except];
  join(into, from, width);
  into[except] = kept;
}

}  // namespace

// A location has one cell if all accesses to it are to the same bytes, and else one for each byte.
bool SerializabilityChecker::prepare(std::span<const Access> accesses) {
  IndexTable threads;
  locations_ = IndexTable();
  bytes_of_.clear();
  thread_of_.clear();
  std::vector<uint32_t> unit_sizes;
  for (const Access& access : accesses) {
    thread_of_.push_back(threads.number(access.thread, 0));
    const uint32_t location = locations_.number(access.location, 0);
    if (location == bytes_of_.size())
      bytes_of_.push_back(access.bytes);
    else if (bytes_of_[location] != access.bytes)
      bytes_of_[location] = 0;
    if (access.unit >= unit_sizes.size()) unit_sizes.resize(access.unit + 1);
    ++unit_sizes[access.unit];
  }
  width_ = threads.size();
  const bool is_trivial =
      width_ < 2 || std::all_of(unit_sizes.begin(), unit_sizes.end(), [](uint32_t size) { return size < 2; });
  if (is_trivial) return false;
  const uint64_t cells = uint64_t{locations_.size()} * kBytes;
  if (width_ * (width_ + 4 * cells) > kMostNumbers) {
    ++skipped_sets_;
    return false;
  }
  threads_.assign(width_, {});
  cells_.assign(cells, {});
  clocks_.assign(width_ * width_, 0);
  cell_clocks_.assign(cells * 3 * width_, 0);
  listed_.assign(cells * width_, 0);
  unit_sizes_ = std::move(unit_sizes);
  return true;
}

std::vector<UnitCycle> SerializabilityChecker::check(std::span<const Access> accesses) {
  cycles_.clear();
  if (!prepare(accesses)) return {};
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    const uint32_t thread = thread_of_[i];
    Thread& own = threads_[thread];
    now_ = access.event;
    if (!own.is_active) begin(thread, unit_sizes_[access.unit]);
    cells_of(access);
    for (const uint32_t cell : touched_) {
      if (access.reads()) read(thread, cell);
      if (access.writes()) write(thread, cell);
    }
    own.last = now_;
    if (--own.left == 0) end(thread);
  }
  return cycles_;
}

uint64_t SerializabilityChecker::memory_bytes() const {
  return (clocks_.capacity() + cell_clocks_.capacity() + listed_.capacity()) * sizeof(Time) +
         cells_.capacity() * sizeof(Cell) +
         (thread_of_.capacity() + unit_sizes_.capacity()) * sizeof(uint32_t);
}

void SerializabilityChecker::cells_of(const Access& access) {
  touched_.clear();
  const uint32_t location = locations_.number(access.location, 0);
  for (uint32_t byte = 0; byte < kBytes; ++byte) {
    if ((access.bytes >> byte & 1) == 0) continue;
    touched_.push_back(location * kBytes + byte);
    if (bytes_of_[location] != 0) break;
  }
}

void SerializabilityChecker::begin(uint32_t thread, uint32_t accesses) {
  Thread& own = threads_[thread];
  own.begin = ++clock_of(thread)[thread];
  own.is_active = true;
  own.left = accesses;
  own.to_update.clear();
}

// The thread comes after all that `clock` knows. If that is its own unit, or what came after that, the unit
// would come before itself.
void SerializabilityChecker::learn(uint32_t thread, const Time* clock, EventIndex from) {
  const Thread& own = threads_[thread];
  if (own.is_active && clock[thread] >= own.begin)
    cycles_.push_back({from, now_});
  else
    join(clock_of(thread), clock, width_);
}

void SerializabilityChecker::read(uint32_t thread, uint32_t cell) {
  Cell& at = cells_[cell];
  if (at.write != kNoEvent && at.writer != thread) learn(thread, written(cell), at.write);
  const auto known = std::find_if(at.readers.begin(), at.readers.end(),
                                  [&](const Reader& reader) { return reader.thread == thread; });
  if (known != at.readers.end())
    known->event = now_;
  else
    at.readers.push_back({thread, now_});
  const Time* clock = clock_of(thread);
  join(was_read(cell), clock, width_);
  join_others(was_read_by_others(cell), clock, thread, width_);
  remember(thread, cell);
}

void SerializabilityChecker::write(uint32_t thread, uint32_t cell) {
  Cell& at = cells_[cell];
  if (at.write != kNoEvent && at.writer != thread) learn(thread, written(cell), at.write);
  EventIndex reader = kNoEvent;
  for (const Reader& other : at.readers)
    if (other.thread != thread) reader = other.event;
  if (reader != kNoEvent) {
    const Thread& own = threads_[thread];
    if (was_read_by_others(cell)[thread] >= own.begin)
      cycles_.push_back({reader, now_});
    else
      join(clock_of(thread), was_read(cell), width_);
  }
  std::copy_n(clock_of(thread), width_, written(cell));
  at.writer = thread;
  at.write = now_;
  remember(thread, cell);
}

// Active units that come before this access may still learn of others, which then come before it as well.
void SerializabilityChecker::remember(uint32_t thread, uint32_t cell) {
  const Time* clock = clock_of(thread);
  for (uint32_t other = 0; other < width_; ++other) {
    Thread& unit = threads_[other];
    if (!unit.is_active || clock[other] < unit.begin) continue;
    Time& listed = listed_[uint64_t{cell} * width_ + other];
    if (listed == unit.begin) continue;
    listed = unit.begin;
    unit.to_update.push_back(cell);
  }
}

void SerializabilityChecker::end(uint32_t thread) {
  Thread& own = threads_[thread];
  own.is_active = false;
  const Time* clock = clock_of(thread);
  for (uint32_t other = 0; other < width_; ++other) {
    if (other != thread && clock_of(other)[thread] >= own.begin) learn(other, clock, threads_[other].last);
  }
  for (const uint32_t cell : own.to_update) {
    const bool wrote = written(cell)[thread] >= own.begin;
    const bool read = was_read(cell)[thread] >= own.begin;
    if (wrote) join(written(cell), clock, width_);
    if (read) {
      join(was_read(cell), clock, width_);
      join_others(was_read_by_others(cell), clock, thread, width_);
    }
    if (wrote || read) remember(thread, cell);
  }
}

}  // namespace heddle
