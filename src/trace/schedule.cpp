#include "trace/schedule.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "trace/atomic_file.h"
#include "trace/hash.h"
#include "trace/input_file.h"
#include "trace/names.h"

namespace heddle::trace {
namespace {

namespace fs = std::filesystem;

// The names that keys of points can stand for: modules for globals, threads for stacks.
std::map<uint64_t, std::string> names_of_keys(const Trace& trace) {
  std::map<uint64_t, std::string> names;
  for (const ModuleRecord& module : trace.modules()) {
    const std::string_view path = trace.string(module.path);
    names[module_key(path)] = path.substr(path.rfind('/') + 1);
  }
  for (uint32_t thread = 0; thread < trace.threads().size(); ++thread) {
    const std::string name = trace.thread_name(thread);
    names[fnv1a(name)] = name;
  }
  return names;
}

void take_points(Schedule& schedule, const Trace& trace) {
  const auto order = [](const PointRecord& point) {
    return std::tuple(point.kind, point.key, point.offset, point.length, point.grade);
  };
  schedule.points.assign(trace.points().begin(), trace.points().end());
  std::sort(schedule.points.begin(), schedule.points.end(),
            [&](const PointRecord& a, const PointRecord& b) { return order(a) < order(b); });
  const auto duplicates =
      std::unique(schedule.points.begin(), schedule.points.end(),
                  [&](const PointRecord& a, const PointRecord& b) { return order(a) == order(b); });
  schedule.points.erase(duplicates, schedule.points.end());

  const auto names = names_of_keys(trace);
  for (const PointRecord& point : schedule.points) {
    const bool has_name = point.kind == PointKind::kGlobal || point.kind == PointKind::kStack;
    if (const auto name = names.find(point.key); has_name && name != names.end()) {
      schedule.key_names.insert(*name);
    }
  }
}

void take_steps(Schedule& schedule, const Trace& trace) {
  const std::span<const ThreadRecord> threads = trace.threads();
  for (const StepRecord& step : trace.steps()) {
    std::vector<uint32_t> ordinals;  // from the thread up to main
    for (uint32_t thread = step.thread; thread != 0; thread = threads[thread].parent) {
      ordinals.push_back(threads[thread].ordinal);
    }
    uint32_t entry = 0;
    for (auto ordinal = ordinals.rbegin(); ordinal != ordinals.rend(); ++ordinal) {
      entry = schedule.threads.child(entry, *ordinal);
    }
    schedule.add(step.kind, entry, step.count);
  }
}

template <typename Record>
Expected<void> fill(ArenaHeader* arena, ArenaTableId id, const std::vector<Record>& records,
                    std::string_view what) {
  TableRecord& table = arena->arena_tables[static_cast<size_t>(id)];
  if (records.size() > table.capacity) {
    return usage_error(fmt::format("the schedule has {} {}, more than the {} that an execution has room for",
                                   records.size(), what, table.capacity));
  }
  if (!records.empty()) {
    std::memcpy(reinterpret_cast<std::byte*>(arena) + table.offset, records.data(),
                records.size() * sizeof(Record));
  }
  table.count = records.size();
  return {};
}

// Where the file's own relative paths start.
fs::path folder_of(const std::string& file) {
  std::error_code ignored;
  return fs::absolute(file, ignored).lexically_normal().parent_path();
}

// Relative to the file, unless they have nothing in common but the root: then it would only be harder to
// read.
std::string relative_to_file(const std::string& directory, const std::string& file) {
  const fs::path from = folder_of(file);
  const fs::path to = fs::path(directory).lexically_normal();
  if (!to.is_absolute() || from.begin() == from.end() || std::next(to.begin()) == to.end() ||
      std::next(from.begin()) == from.end() || *std::next(from.begin()) != *std::next(to.begin())) {
    return directory;
  }
  return to.lexically_relative(from).string();
}

}  // namespace

void Schedule::add(StepKind kind, uint32_t entry, uint32_t count) {
  if (count == 0) {
    return;
  }
  if (kind != StepKind::kRun) {
    steps.push_back({entry, kind, kind == StepKind::kFail ? count : 1, 0});
    return;
  }
  const bool same_run = !steps.empty() && steps.back().kind == kind && steps.back().thread == entry;
  if (same_run && steps.back().count <= UINT32_MAX - count) {
    steps.back().count += count;
  } else {
    steps.push_back({entry, kind, count, 0});
  }
}

uint64_t Schedule::choices() const {
  uint64_t total = 0;
  for (const StepRecord& step : steps) {
    total += step.kind == StepKind::kRun ? step.count : 1;
  }
  return total;
}

Schedule schedule_of(const Trace& trace) {
  Schedule schedule;
  if (!trace.modules().empty()) {
    schedule.build_id = trace.string(trace.modules()[0].build_id);
  }
  schedule.command = trace.command();
  schedule.policy = trace.policy();
  if (trace.outcome().kind != OutcomeKind::kOk) {
    schedule.failure = trace.outcome().kind;
    schedule.message = trace.outcome_message();
  }
  take_points(schedule, trace);
  take_steps(schedule, trace);
  return schedule;
}

Expected<Schedule> read_schedule_file(const std::string& path) {
  auto file = InputFile::open(path);
  if (!file) {
    return tl::unexpected(file.error());
  }
  const auto text = file->read_all(kMaxScheduleBytes);
  if (!text) {
    return tl::unexpected(text.error());
  }
  auto schedule = parse_schedule(*text, path);
  if (schedule && !schedule->directory.empty()) {
    schedule->directory = (folder_of(path) / schedule->directory).lexically_normal().string();
  }
  return schedule;
}

Expected<void> write_schedule_file(const std::string& path, const Schedule& schedule) {
  Schedule written = schedule;
  if (!written.directory.empty()) {
    written.directory = relative_to_file(written.directory, path);
  }
  auto file = AtomicFile::create(path);
  if (!file) {
    return tl::unexpected(file.error());
  }
  auto done = file->write(print_schedule(written));
  return done ? file->commit() : done;
}

Expected<void> put_into_arena(const Schedule& schedule, ArenaHeader* arena) {
  auto done = fill(arena, ArenaTableId::kInputThreads, schedule.threads.records(), "threads");
  if (done) {
    done = fill(arena, ArenaTableId::kInputSteps, schedule.steps, "switches");
  }
  if (done) {
    done = fill(arena, ArenaTableId::kInputPoints, schedule.points, "scheduling points");
  }
  return done;
}

}  // namespace heddle::trace
