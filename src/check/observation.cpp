#include "check/observation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "report/event_facts.h"
#include "symbolize/trace_symbols.h"
#include "trace/names.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;

constexpr uint64_t kGranule = 8;
// Of a copy of many pages, these bytes speak for the rest.
constexpr uint64_t kMostGranules = 1024;
// A line that walks over an array touches many locations, which have few names.
constexpr size_t kNamesOfASite = 4;

struct SourcePlace {
  std::string file;
  std::string function;
  uint32_t line = 0;
  uint32_t column = 0;

  auto operator<=>(const SourcePlace&) const = default;
};

// Those that did it while others were there. What a thread does alone, no other can do at the same time.
using Threads = std::set<uint32_t>;

struct Activities {
  std::map<SourcePlace, Threads> blocks;
  struct Access {
    uint32_t kinds = 0;
    Threads threads;
  };
  std::map<std::pair<SourcePlace, std::string>, Access> accesses;  // by place and variable
};

uint32_t kinds_of(EventKind kind) {
  using namespace access_kind;
  switch (kind) {
    case EventKind::kRead:
      return kRead;
    case EventKind::kWrite:
      return kWrite;
    case EventKind::kAtomicRead:
      return kRead | kAtomic;
    case EventKind::kAtomicWrite:
      return kWrite | kAtomic;
    case EventKind::kAtomicUpdate:
      return kRead | kWrite | kAtomic;
    default:
      return 0;
  }
}

// Which memory several threads have used.
class SharedMemory {
 public:
  void use(const EventRecord& event) {
    each_granule(event, [&](uint64_t granule) {
      uint32_t& user = users_[{event.object, granule}];
      if (user != kSeveral && user != event.thread + 1) user = user == 0 ? event.thread + 1 : kSeveral;
      return true;
    });
  }
  bool is_shared(const EventRecord& event) const {
    bool shared = false;
    each_granule(event, [&](uint64_t granule) {
      const auto user = users_.find({event.object, granule});
      shared = user != users_.end() && user->second == kSeveral;
      return !shared;
    });
    return shared;
  }

 private:
  static constexpr uint32_t kSeveral = UINT32_MAX;
  using Key = std::pair<uint32_t, uint64_t>;
  struct Hash {
    size_t operator()(const Key& key) const { return key.second * 0x9e3779b97f4a7c15u ^ key.first; }
  };

  template <typename Visit>
  static void each_granule(const EventRecord& event, const Visit& visit) {
    const uint64_t first = event.offset / kGranule;
    const uint64_t last = (event.offset + std::max<uint64_t>(event.size, 1) - 1) / kGranule;
    for (uint64_t at = first; at <= std::min(last, first + kMostGranules); ++at) {
      if (!visit(at)) return;
    }
  }

  std::unordered_map<Key, uint32_t, Hash> users_;  // thread + 1
};

class ActivityReader {
 public:
  ActivityReader(const trace::Trace& trace, Symbolizer& symbolizer, SourceNames& names)
      : trace_(trace), symbolizer_(symbolizer), names_(names), symbols_(trace, symbolizer) {}

  std::vector<std::shared_ptr<const FunctionActivity>> functions() {
    find_blocks();
    find_accesses();
    return by_function();
  }

 private:
  void find_blocks() {
    std::map<uint32_t, std::vector<const SourcePlace*>> places;  // by site
    std::set<SourcePlace> known;
    for (const trace::CoverageRecord& covered : trace_.coverage()) {
      const auto [entry, is_new] = places.try_emplace(covered.site);
      if (is_new) {
        for (SourcePlace& place : places_of_block(covered.site))
          entry->second.push_back(&*known.insert(std::move(place)).first);
      }
      for (const SourcePlace* place : entry->second) {
        Threads& threads = found_.blocks[*place];
        if (covered.is_alone == 0) threads.insert(covered.thread);
      }
    }
  }

  // The innermost line of the project, and those of the calls that were inlined around it: of a function that
  // only calls one which the compiler has put into it, no block has a line of its own.
  std::vector<SourcePlace> places_of_block(uint32_t site) {
    std::vector<SourcePlace> places;
    if (site == 0 || site >= trace_.sites().size()) return places;
    const trace::SiteRecord& record = trace_.sites()[site];
    if (record.module >= trace_.modules().size()) return places;
    const trace::ModuleRecord& module = trace_.modules()[record.module];
    const ModuleName name{std::string(trace_.string(module.path)),
                          std::string(trace_.string(module.build_id))};
    if (is_runtime_module(name.path)) return places;
    for (const Frame& frame : symbolizer_.code(name, record.offset)) {
      if (!is_user_frame(frame, name.path)) continue;
      if (std::optional<SourcePlace> place = place_of(frame)) places.push_back(std::move(*place));
    }
    return places;
  }

  std::optional<SourcePlace> place_of(const Frame& frame) {
    if (frame.line == 0) return std::nullopt;
    std::optional<std::string> file = names_.name_of(frame.file);
    if (!file) return std::nullopt;
    return SourcePlace{std::move(*file), frame.function, frame.line, frame.column};
  }

  void find_accesses() {
    SharedMemory memory;
    for (const EventRecord& event : trace_.events()) {
      if (kinds_of(event.kind) != 0) memory.use(event);
    }
    uint32_t unjoined = 0;
    for (const EventRecord& event : trace_.events()) {
      const uint32_t kinds = kinds_of(event.kind);
      if (event.kind == EventKind::kFork) ++unjoined;
      if (event.kind == EventKind::kJoin && (event.flags & trace::event_flag::kFailed) == 0) --unjoined;
      if (kinds == 0 || !memory.is_shared(event) || is_thread_state(event.object)) continue;
      const auto [entry, is_new] = places_.try_emplace({event.site, event.context});
      if (is_new && symbols_.is_in_user_code(event.site, event.context))
        entry->second = place_of(symbols_.line_of_interest(event.site, event.context));
      if (!entry->second) continue;
      Activities::Access& access = found_.accesses[{*entry->second, variable_of(event)}];
      access.kinds |= kinds;
      if (unjoined > 0) access.threads.insert(event.thread);
    }
  }

  bool is_thread_state(uint32_t object) {
    const auto [entry, is_new] = thread_states_.try_emplace(object, false);
    if (is_new) entry->second = symbols_.is_thread_state(object);
    return entry->second;
  }

  // Of locations that were allocated in one place and lie alike, the first is asked for its name.
  std::string variable_of(const EventRecord& event) {
    if (event.object >= trace_.objects().size()) return "";
    const trace::ObjectRecord& object = trace_.objects()[event.object];
    Names& names = names_of_sites_[event.site];
    const auto key = std::tuple(object.kind, object.owner, object.site, object.context, event.offset);
    const auto known = names.find(key);
    if (known != names.end()) return known->second;
    // A further element of the same array.
    if (names.size() >= kNamesOfASite) return names.begin()->second;
    return names.emplace(key, symbols_.variable_name(event.object, event.offset)).first->second;
  }

  ThreadSet set_of(const Threads& threads) const {
    ThreadSet set;
    set.count = static_cast<uint32_t>(threads.size());
    for (const uint32_t thread : threads) {
      if (set.names.size() == kNamedThreads) break;
      set.names.push_back(trace_.thread_name(thread));
    }
    return set;
  }

  std::vector<std::shared_ptr<const FunctionActivity>> by_function() const {
    std::map<std::pair<std::string, std::string>, std::shared_ptr<FunctionActivity>> functions;
    const auto function_of = [&](const SourcePlace& place) -> FunctionActivity& {
      std::shared_ptr<FunctionActivity>& function = functions[{place.file, place.function}];
      if (function == nullptr) {
        function = std::make_shared<FunctionActivity>();
        function->file = place.file;
        function->function = place.function;
      }
      return *function;
    };
    const auto index_of = [&](FunctionActivity& function, const Threads& threads) {
      const ThreadSet set = set_of(threads);
      const auto known = std::find(function.thread_sets.begin(), function.thread_sets.end(), set);
      const auto index = static_cast<uint32_t>(known - function.thread_sets.begin());
      if (known == function.thread_sets.end()) function.thread_sets.push_back(set);
      return index;
    };
    for (const auto& [place, threads] : found_.blocks) {
      FunctionActivity& function = function_of(place);
      function.blocks.push_back({place.line, place.column, index_of(function, threads)});
    }
    for (const auto& [where, access] : found_.accesses) {
      FunctionActivity& function = function_of(where.first);
      function.accesses.push_back({where.first.line, where.first.column, access.kinds,
                                   index_of(function, access.threads), where.second});
    }
    std::vector<std::shared_ptr<const FunctionActivity>> sorted;
    for (auto& [name, function] : functions) {
      std::sort(function->blocks.begin(), function->blocks.end());
      std::sort(function->accesses.begin(), function->accesses.end());
      sorted.push_back(function);
    }
    return sorted;
  }

  using Names = std::map<std::tuple<trace::ObjectKind, uint32_t, uint32_t, uint32_t, uint64_t>, std::string>;

  const trace::Trace& trace_;
  Symbolizer& symbolizer_;
  SourceNames& names_;
  TraceSymbols symbols_;
  std::map<std::pair<uint32_t, uint32_t>, std::optional<SourcePlace>> places_;  // by site and context
  std::map<uint32_t, bool> thread_states_;                                      // by object
  std::map<uint32_t, Names> names_of_sites_;
  Activities found_;
};

}  // namespace

TestRecord observe(const Execution& execution, Symbolizer& symbolizer, SourceNames& names) {
  using trace::OutcomeKind;
  TestRecord record;
  const OutcomeKind kind = execution.outcome.kind;
  record.outcome = trace::to_text(kind);
  if (execution.failed()) record.message = execution.trace.outcome_message();
  record.threads = static_cast<uint32_t>(execution.trace.threads().size());
  record.complete = execution.trace.events_lost() == 0 && execution.trace.events_dropped() == 0 &&
                    !execution.left_control && execution.damage.empty() && kind != OutcomeKind::kHang &&
                    kind != OutcomeKind::kKilled && kind != OutcomeKind::kInternal;
  record.functions = ActivityReader(execution.trace, symbolizer, names).functions();
  return record;
}

namespace {

// Of one function, by what tells blocks and accesses apart.
class ActivityUnion {
 public:
  void add(const FunctionActivity& activity) {
    for (const FunctionActivity::Block& block : activity.blocks)
      add_threads(blocks_[{block.line, block.column}], activity.thread_sets[block.threads]);
    for (const FunctionActivity::Access& access : activity.accesses)
      add_threads(accesses_[{access.line, access.column, access.kinds, access.variable}],
                  activity.thread_sets[access.threads]);
  }

  std::shared_ptr<const FunctionActivity> take(const std::string& file, const std::string& function) {
    auto result = std::make_shared<FunctionActivity>();
    result->file = file;
    result->function = function;
    for (const auto& [place, threads] : blocks_)
      result->blocks.push_back({place.first, place.second, index_of(threads, *result)});
    for (const auto& [place, threads] : accesses_) {
      const auto& [line, column, kinds, variable] = place;
      result->accesses.push_back({line, column, kinds, index_of(threads, *result), variable});
    }
    std::sort(result->blocks.begin(), result->blocks.end());
    std::sort(result->accesses.begin(), result->accesses.end());
    return result;
  }

 private:
  static void add_threads(std::optional<ThreadSet>& known, const ThreadSet& threads) {
    known = known ? united(*known, threads) : threads;
  }
  static uint32_t index_of(const std::optional<ThreadSet>& threads, FunctionActivity& activity) {
    const auto found = std::find(activity.thread_sets.begin(), activity.thread_sets.end(), *threads);
    const auto index = static_cast<uint32_t>(found - activity.thread_sets.begin());
    if (found == activity.thread_sets.end()) activity.thread_sets.push_back(*threads);
    return index;
  }

  std::map<std::pair<uint32_t, uint32_t>, std::optional<ThreadSet>> blocks_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, std::string>, std::optional<ThreadSet>> accesses_;
};

}  // namespace

void add_observation(const TestRecord& further, TestRecord* record) {
  using Function = std::pair<std::string, std::string>;
  std::map<Function, std::shared_ptr<const FunctionActivity>> all;
  for (const auto& activity : record->functions) all[{activity->file, activity->function}] = activity;
  for (const auto& activity : further.functions) {
    std::shared_ptr<const FunctionActivity>& known = all[{activity->file, activity->function}];
    if (known == nullptr) {
      known = activity;
    } else if (*known != *activity) {
      ActivityUnion both;
      both.add(*known);
      both.add(*activity);
      known = both.take(activity->file, activity->function);
    }
  }
  record->functions.clear();
  for (auto& [function, activity] : all) record->functions.push_back(std::move(activity));
  record->threads = std::max(record->threads, further.threads);
}

}  // namespace heddle
