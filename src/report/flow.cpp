#include "report/flow.h"

#include <algorithm>

#include "report/text.h"

namespace heddle {
namespace {

size_t column_of(const std::vector<uint32_t>& threads, uint32_t thread) {
  return static_cast<size_t>(std::find(threads.begin(), threads.end(), thread) - threads.begin());
}

FlowThread flow_thread(ReportContext& context, const FailureStory& story, uint32_t thread,
                       const SourceScope& scope) {
  FlowThread result{.name = context.trace().thread_name(thread),
                    .label = context.thread(thread),
                    .takes_part = story.has_thread(thread)};
  const auto end = story.ends.find(thread);
  if (end == story.ends.end()) return result;
  result.has_end = true;
  if (end->second.place.site != 0) result.end = source_line(context, end->second.place, scope);
  result.end_note = end->second.note;
  return result;
}

}  // namespace

SourceLine source_line(ReportContext& context, const Place& place, const SourceScope& scope) {
  const Frame& frame = context.symbols.line_of_interest(place.site, place.context);
  SourceLine line{.file = scope.name(frame.file),
                  .line = frame.line,
                  .column = frame.column,
                  .function = frame.function,
                  .text = {},
                  .is_user_code = context.symbols.is_in_user_code(place.site, place.context)};
  if (const auto text = context.sources.line(frame.file, frame.line)) line.text = printable(*text);
  line.is_changed = scope.is_changed(line.file, line.line);
  return line;
}

Flow make_flow(ReportContext& context, const FailureStory& story, const InterleavingLimits& limits,
               const SourceScope& scope) {
  const Interleaving interleaving = select_interleaving(context, story, limits);
  Flow flow;
  for (const uint32_t thread : interleaving.threads)
    flow.threads.push_back(flow_thread(context, story, thread, scope));
  for (const uint32_t thread : interleaving.hidden_threads)
    flow.hidden_threads.push_back(context.thread(thread));
  const auto is_key = [&](uint64_t event) {
    return std::find(story.key_events.begin(), story.key_events.end(), event) != story.key_events.end();
  };
  for (const InterleavingRow& row : interleaving.rows) {
    FlowRow& told = flow.rows.emplace_back();
    if (row.is_gap()) {
      told.skipped.resize(flow.threads.size());
      for (const InterleavingRow::Skipped& skipped : row.gap)
        told.skipped[column_of(interleaving.threads, skipped.thread)] = skipped.events;
      continue;
    }
    told.thread = column_of(interleaving.threads, row.step.thread);
    told.step = {.event = row.step.event,
                 .place = source_line(context, row.step.place, scope),
                 .operations = row.step.operations,
                 .description = row.step.description,
                 .is_key = is_key(row.step.event)};
  }
  return flow;
}

}  // namespace heddle
