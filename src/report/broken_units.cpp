#include "report/broken_units.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "report/event_facts.h"
#include "report/text.h"

namespace heddle {
namespace {

using trace::EventRecord;

bool reads(const EventRecord& event) {
  return is_access(event.kind) && (!is_write(event.kind) || event.kind == trace::EventKind::kAtomicUpdate);
}

class UnitTeller {
 public:
  UnitTeller(ReportContext& context, const std::vector<uint64_t>& events) : context_(context) {
    for (const uint64_t number : events) events_.push_back(&context.trace().events()[number]);
  }

  std::string run() {
    // A write of what was read before says most, then any other write, then a second read.
    for (const auto tell : {&UnitTeller::lost_update, &UnitTeller::stale_write, &UnitTeller::mixed_reads}) {
      if (const std::optional<std::string> sentence = find_shape(tell)) return *sentence;
    }
    std::vector<std::string> units;
    for (const EventRecord* event : events_) {
      std::string unit = unit_text(event->thread);
      if (std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(std::move(unit));
    }
    return fmt::format("no order of {}, one after the other, does the same", join_words(units));
  }

 private:
  // One thread read, another one changed that, and the first went on.
  struct Shape {
    const EventRecord& read;
    const EventRecord& change;
    const EventRecord& then;
  };
  using Tell = std::optional<std::string> (UnitTeller::*)(const Shape&);

  std::optional<std::string> find_shape(Tell tell) {
    for (size_t i = 0; i < events_.size(); ++i) {
      if (!reads(*events_[i])) continue;
      for (size_t j = i + 1; j < events_.size(); ++j) {
        const bool changes = events_[j]->thread != events_[i]->thread && is_write(events_[j]->kind) &&
                             range_of(*events_[j]).overlaps(range_of(*events_[i]));
        for (size_t k = j + 1; changes && k < events_.size(); ++k) {
          if (events_[k]->thread != events_[i]->thread) continue;
          if (auto sentence = (this->*tell)({*events_[i], *events_[j], *events_[k]})) return sentence;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> lost_update(const Shape& shape) {
    if (!is_write(shape.then.kind) || !range_of(shape.then).overlaps(range_of(shape.read)))
      return std::nullopt;
    return fmt::format("{}, then {} wrote what it had computed from the old value", beginning(shape),
                       context_.thread(shape.then.thread));
  }

  std::optional<std::string> stale_write(const Shape& shape) {
    if (!is_write(shape.then.kind)) return std::nullopt;
    return fmt::format("{}, then {} wrote {} on the basis of the old value", beginning(shape),
                       context_.thread(shape.then.thread), location(shape.then));
  }

  std::optional<std::string> mixed_reads(const Shape& shape) {
    const bool is_same = range_of(shape.then).overlaps(range_of(shape.read));
    return fmt::format("{}, then {} read {}: it saw some of the change, and not all", beginning(shape),
                       context_.thread(shape.then.thread), is_same ? "it again" : location(shape.then));
  }

  // "Quota::charge by main/1 read `requests`, then Quota::charge by main/2 changed it"
  std::string beginning(const Shape& shape) {
    return fmt::format("{} read {}, then {} changed it", unit_text(shape.read.thread), location(shape.read),
                       unit_text(shape.change.thread));
  }

  std::string location(const EventRecord& event) {
    return context_.symbols.location_text(event.object, event.offset);
  }

  // "Quota::charge by main/1": the innermost function of the program that all accesses of the thread are in.
  std::string unit_text(uint32_t thread) {
    std::vector<std::string> common;  // outermost first
    bool is_first = true;
    for (const EventRecord* event : events_) {
      if (event->thread != thread) continue;
      std::vector<std::string> calls;
      const std::vector<StackFrame> stack = context_.symbols.stack(event->site, event->context);
      for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
        if (frame->is_user_code) calls.push_back(frame->frame.function);
      }
      if (!is_first) {
        const auto end = std::mismatch(common.begin(), common.end(), calls.begin(), calls.end()).first;
        calls.assign(common.begin(), end);
      }
      common = std::move(calls);
      is_first = false;
    }
    if (common.empty()) return context_.thread(thread);
    return fmt::format("{} by {}", common.back(), context_.thread(thread));
  }

  ReportContext& context_;
  std::vector<const EventRecord*> events_;
};

}  // namespace

std::string broken_units_sentence(ReportContext& context, const std::vector<uint64_t>& events) {
  return UnitTeller(context, events).run();
}

}  // namespace heddle
