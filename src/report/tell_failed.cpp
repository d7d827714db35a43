// Tellers of executions in which one thread failed: crash, assertion, exception, misuse and the rest.
#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "report/causes.h"
#include "report/event_facts.h"
#include "report/tellers.h"
#include "report/text.h"
#include "report/torn_accesses.h"
#include "symbolize/function_name.h"

namespace heddle {
namespace {

using trace::OutcomeRecord;

// An access this close to 0 went through a null pointer.
constexpr uint64_t kFirstPages = 0x10000;

// The functions that identify a failure: its own and who called it, but no deeper, since the same bug is
// often reached in several ways.
constexpr size_t kIdentityFrames = 2;

// The last ones explain a failure; a loop without a lock tears on every round.
constexpr size_t kMaxTornAccesses = 2;

// Whose steps are shown in any case.
constexpr size_t kMaxCauses = 3;

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

std::string_view signal_meaning(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "invalid memory access";
    case SIGBUS:
      return "bad memory access";
    case SIGFPE:
      return "invalid arithmetic";
    case SIGILL:
      return "invalid instruction";
    case SIGABRT:
      return "abort";
    default:
      return {};
  }
}

// Where the failing thread is, and how it came there.
struct FailurePlace {
  Place place;
  std::vector<StackFrame> stack;
};

// The innermost place of the machine's stack in the user's code: a failure inside a library is due to its
// caller.
Place place_on_stack(ReportContext& context) {
  const OutcomeRecord& outcome = context.trace().outcome();
  for (uint32_t i = 0; i < outcome.stack_size; ++i) {
    const uint32_t site = outcome.stack[i];
    if (context.symbols.is_in_user_code(site, 0) && !context.symbols.line_of_interest(site, 0).file.empty())
      return {site, 0};
  }
  return {outcome.site, outcome.context};
}

FailurePlace find_failure_place(ReportContext& context) {
  const OutcomeRecord& outcome = context.trace().outcome();
  if (outcome.stack_size > 0) return {place_on_stack(context), context.symbols.outcome_stack()};
  Place place{outcome.site, outcome.context};
  place = context.user_place(outcome.thread, place);
  std::vector<StackFrame> stack = context.symbols.stack(place.site, place.context);
  if (!place.is_exact) {
    // What was inlined into the last line belongs to that operation, not to the failure.
    auto is_user = [](const StackFrame& frame) { return frame.is_user_code; };
    stack.erase(stack.begin(), std::find_if(stack.begin(), stack.end(), is_user));
  }
  return {place, std::move(stack)};
}

// Without what the library does between a throw and the end of the process.
std::vector<StackFrame> from_throw(std::vector<StackFrame> stack) {
  const auto has_line = [](const StackFrame& frame) {
    return frame.is_user_code || !frame.frame.file.empty();
  };
  const auto begin = std::find_if(stack.begin(), stack.end(), has_line);
  if (begin != stack.end()) stack.erase(stack.begin(), begin);
  return stack;
}

// " in transfer at bank.cpp:12"
std::string place_suffix(ReportContext& context) {
  FailurePlace failure = find_failure_place(context);
  const auto& stack = failure.stack;
  auto user = std::find_if(stack.begin(), stack.end(), [](const StackFrame& f) { return f.is_user_code; });
  if (user == stack.end()) user = stack.begin();
  if (user == stack.end()) return {};
  const Frame& frame = user->frame;
  if (frame.file.empty()) return fmt::format(" in {}", frame.function);
  std::string_view preposition = failure.place.is_exact ? "at" : "after";
  return fmt::format(" in {} {} {}", frame.function, preposition, context.path_line(frame));
}

// What all failures of one thread have in common: where it is, how it came there, what it shared.
FailureStory tell_thread_failure(ReportContext& context, std::string_view end_note) {
  const OutcomeRecord& outcome = context.trace().outcome();
  FailurePlace failure = find_failure_place(context);
  if (outcome.kind == trace::OutcomeKind::kException) failure.stack = from_throw(std::move(failure.stack));
  FailureStory story;
  story.add_thread(outcome.thread);
  story.places.push_back(failure.place);
  story.ends[outcome.thread] = {failure.place, std::string(end_note)};
  if (!failure.stack.empty()) {
    story.details.push_back(
        {fmt::format("stack of {}:", context.thread(outcome.thread)), context.stack_lines(failure.stack)});
  }
  size_t named = 0;
  for (const StackFrame& frame : failure.stack) {
    if (!frame.is_user_code || frame.frame.file.empty() || named == kIdentityFrames) continue;
    story.identity.push_back("in " + frame.frame.function);
    ++named;
  }
  if (named == 0) {
    story.identity.push_back("in " +
                             context.symbols.function_identity(failure.place.site, failure.place.context));
  }
  return story;
}

// Who wrote what the thread had read when it failed, and who wrote what those had read. Steps long before the
// end are lost among many, so those of the hand-overs are kept.
void add_causes(const trace::Trace& trace, FailureStory& story) {
  for (const Cause& cause : Causes(trace).of_end(trace.outcome().thread)) {
    story.causes.push_back(trace.events()[cause.write].thread);
    if (story.causes.size() > kMaxCauses) continue;
    for (const size_t event : {cause.read, cause.write}) {
      story.key_events.push_back(trace.events_dropped() + event);
    }
  }
}

// Those on what the thread used last explain a failure best. If there are none, it may have failed because of
// what others did with what they believed.
std::vector<TornAccess> torn_accesses(const trace::Trace& trace, const FailureStory& story) {
  std::vector<TornAccess> torn =
      find_torn_accesses(trace, story.locations, trace.outcome().thread, kMaxTornAccesses);
  if (!torn.empty()) return torn;
  for (const TornAccess& check : find_broken_checks(trace)) {
    const auto takes_part = [&](uint64_t event) {
      const uint32_t thread = trace.event_at(event)->thread;
      return story.has_thread(thread) ||
             std::find(story.causes.begin(), story.causes.end(), thread) != story.causes.end();
    };
    if (takes_part(check.read) && takes_part(check.between) && torn.size() < kMaxTornAccesses)
      torn.push_back(check);
  }
  return torn;
}

// What the thread shared with others just before it failed is the likely cause.
void add_shared_data(ReportContext& context, FailureStory& story) {
  const trace::Trace& trace = context.trace();
  uint32_t thread = trace.outcome().thread;
  story.locations = recent_conflicts(context.symbols, thread);
  add_causes(trace, story);
  std::vector<LocationRange> unexplained = story.locations;
  for (const TornAccess& torn : torn_accesses(trace, story)) {
    add_torn_access(context, torn, story);
    LocationRange changed = range_of(*trace.event_at(torn.then));
    std::erase_if(unexplained, [&](const LocationRange& range) { return range.overlaps(changed); });
  }
  std::vector<std::string> names;
  for (const LocationRange& range : unexplained) {
    names.push_back(context.symbols.location_text(range.object, range.offset));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (!names.empty()) story.details.push_back({"shared data used last:", std::move(names)});
}

// The text of a failed assert ends in "`x > 0' failed": the expression is what matters.
std::string assertion_expression(std::string_view message) {
  size_t begin = message.find('`');
  size_t end = message.rfind("' failed");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
    return std::string(message);
  }
  return std::string(message.substr(begin + 1, end - begin - 1));
}

std::string outcome_message(ReportContext& context) {
  return printable(context.trace().outcome_message());
}

}  // namespace

std::string message_identity(std::string_view message) {
  std::string result;
  for (size_t i = 0; i < message.size(); ++i) {
    bool continues_name =
        i > 0 && (std::isalnum(static_cast<unsigned char>(message[i - 1])) || message[i - 1] == '_');
    if (!std::isdigit(static_cast<unsigned char>(message[i])) || continues_name) {
      result += message[i];
      continue;
    }
    result += '#';
    while (i + 1 < message.size() && std::isalnum(static_cast<unsigned char>(message[i + 1]))) ++i;
  }
  return result;
}

FailureStory tell_crash(ReportContext& context) {
  const OutcomeRecord& outcome = context.trace().outcome();
  std::string name = signal_name(outcome.signal);
  std::string_view meaning = signal_meaning(outcome.signal);
  FailureStory story = tell_thread_failure(context, name);
  bool is_null = outcome.fault_address < kFirstPages && outcome.signal == SIGSEGV;
  story.message = fmt::format("{} got {}", context.thread(outcome.thread), name);
  if (is_null) {
    story.message += fmt::format(" (null pointer, address {:#x})", outcome.fault_address);
  } else if (!meaning.empty()) {
    story.message += fmt::format(" ({})", meaning);
  }
  story.message += place_suffix(context);
  if (!is_null && outcome.fault_address != 0) {
    story.details.insert(story.details.begin(),
                         {fmt::format("faulting address: {:#x}", outcome.fault_address), {}});
  }
  story.identity.push_back(name);
  add_shared_data(context, story);
  add_other_threads(context, story);
  return story;
}

FailureStory tell_assertion(ReportContext& context) {
  std::string message = outcome_message(context);
  std::string expression = assertion_expression(message);
  FailureStory story = tell_thread_failure(context, "assertion fails");
  story.message = fmt::format("{}: `{}` does not hold{}", context.thread(context.trace().outcome().thread),
                              expression, place_suffix(context));
  if (expression == message) {
    story.message = fmt::format("{}: {}", context.thread(context.trace().outcome().thread), message);
  }
  story.identity.push_back(message_identity(expression));
  add_shared_data(context, story);
  add_other_threads(context, story);
  return story;
}

FailureStory tell_exception(ReportContext& context) {
  // The runtime gives "type" or "type: what", with the type's mangled name.
  std::string message = outcome_message(context);
  size_t colon = message.find(": ");
  std::string type = type_name(message.substr(0, colon));
  std::string what = colon == std::string::npos ? "" : message.substr(colon + 2);
  FailureStory story = tell_thread_failure(context, "throws");
  story.message = fmt::format("{} did not catch {}{}{}", context.thread(context.trace().outcome().thread),
                              type, what.empty() ? "" : ": ", what);
  story.identity.push_back(type);
  add_shared_data(context, story);
  add_other_threads(context, story);
  return story;
}

FailureStory tell_misuse(ReportContext& context) {
  const OutcomeRecord& outcome = context.trace().outcome();
  std::string message = outcome_message(context);
  FailureStory story = tell_thread_failure(context, message);
  story.message = fmt::format("{}: {}{}", context.thread(outcome.thread), message, place_suffix(context));
  story.identity.push_back(message_identity(message));
  if (outcome.object != 0) {
    story.details.insert(
        story.details.begin(),
        {"the object: " + context.symbols.location_text(outcome.object, outcome.offset), {}});
    story.locations.push_back({outcome.object, outcome.offset, 1});
    story.identity.push_back(context.symbols.location_identity(outcome.object, outcome.offset));
  }
  add_other_threads(context, story);
  return story;
}

FailureStory tell_exit_code(ReportContext& context) {
  const OutcomeRecord& outcome = context.trace().outcome();
  FailureStory story = tell_thread_failure(context, fmt::format("exit code {}", outcome.exit_code));
  story.message = fmt::format("the program ended with exit code {}", outcome.exit_code);
  // An exit code means something only to its program.
  const std::vector<std::string>& command = context.trace().command();
  const std::string program = command.empty() ? "" : command[0].substr(command[0].rfind('/') + 1);
  story.identity = {fmt::format("code {}", outcome.exit_code), "of " + program};
  add_shared_data(context, story);
  add_other_threads(context, story);
  return story;
}

FailureStory tell_other(ReportContext& context) {
  const OutcomeRecord& outcome = context.trace().outcome();
  std::string message = outcome_message(context);
  FailureStory story = tell_thread_failure(context, message);
  story.message = message.empty() ? "the execution failed" : message;
  story.identity.push_back(message_identity(message));
  if (outcome.object != 0) {
    story.locations.push_back({outcome.object, outcome.offset, 1});
    story.identity.push_back(context.symbols.location_identity(outcome.object, outcome.offset));
  } else {
    add_shared_data(context, story);
  }
  add_other_threads(context, story);
  return story;
}

}  // namespace heddle
