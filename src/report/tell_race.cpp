// Teller of races and of uses of freed memory.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "report/event_facts.h"
#include "report/tellers.h"
#include "report/tsan_text.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::RaceAccess;
using trace::RaceRecord;

std::string_view access_verb(EventKind kind) {
  switch (kind) {
    case EventKind::kFree:
      return "free";
    case EventKind::kAtomicRead:
      return "atomic read";
    case EventKind::kAtomicWrite:
      return "atomic write";
    case EventKind::kAtomicUpdate:
      return "atomic update";
    case EventKind::kRead:
      return "read";
    default:
      return "write";
  }
}

// Elements of an array are one thing to a fingerprint: `slots[3].count` becomes `slots[].count`.
std::string without_indices(const std::string& name) {
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    result += name[i];
    if (name[i] != '[') continue;
    while (i + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[i + 1])) != 0) ++i;
  }
  return result;
}

std::string side_text(ReportContext& context, const RaceAccess& access) {
  const Frame& frame = context.symbols.line_of_interest(access.site, access.context);
  const std::string where = frame.file.empty() ? "" : fmt::format(" ({})", file_line(frame));
  return fmt::format("{} by {} in {}{}", access_verb(access.kind), context.thread(access.thread),
                     frame.function, where);
}

}  // namespace

FailureStory tell_race(ReportContext& context, const RaceRecord& race) {
  FailureStory story;
  const uint64_t offset = std::max(race.first.offset, race.second.offset);
  const std::string what = context.symbols.location_text(race.object, offset);
  const bool frees = race.first.kind == EventKind::kFree || race.second.kind == EventKind::kFree;
  story.message = fmt::format("{} {}: {}, {} {}",
                              race.ordered != 0 ? "use after free of"
                              : frees           ? "race with free of"
                                                : "data race on",
                              what, side_text(context, race.first),
                              race.ordered != 0 ? "then" : "unordered with", side_text(context, race.second));
  for (const RaceAccess* access : {&race.second, &race.first}) {
    story.add_thread(access->thread);
    story.places.push_back({access->site, access->context});
    story.locations.push_back({race.object, access->offset, std::max<uint32_t>(access->size, 1)});
    story.identity.push_back(fmt::format("{} in {}", access_verb(access->kind),
                                         context.symbols.function_identity(access->site, access->context)));
    if (access->event != 0) story.key_events.push_back(access->event - 1);
  }
  forget_order(story.identity);
  story.identity.push_back(without_indices(context.symbols.location_identity(race.object, offset)));
  story.banner = tsan_report(context, race);
  return story;
}

FailureStory tell_first_race(ReportContext& context) {
  if (context.trace().races().empty()) return tell_other(context);
  return tell_race(context, context.trace().races().front());
}

}  // namespace heddle
