#include <iterator>

#include <fmt/format.h>

#include "trace/hash.h"
#include "trace/names.h"
#include "trace/schedule.h"
#include "trace/schedule_words.h"

namespace heddle::trace {
namespace {

// Free text of several words stays readable where it can; "a  b" must be quoted to keep both spaces.
std::string print_words(std::string_view text) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (!is_bare(text.substr(begin, end - begin))) {
      return quote(text);
    }
    begin = end + 1;
  }
  return std::string(text);
}

// The name behind a point's key, if it is known and gives that key again when it is read.
std::string print_owner(const Schedule& schedule, const PointRecord& point) {
  const auto known = schedule.key_names.find(point.key);
  const bool by_name = known != schedule.key_names.end() && fnv1a(known->second) == point.key;
  if (by_name && point.kind == PointKind::kStack && is_thread_path(known->second)) {
    return known->second;
  }
  if (by_name && point.kind == PointKind::kGlobal) {
    return is_point_key(known->second) ? quote(known->second) : print_word(known->second);
  }
  return fmt::format("{:016x}", point.key);
}

void print_point(std::string& text, const Schedule& schedule, const PointRecord& point) {
  auto out = std::back_inserter(text);
  fmt::format_to(out, "  {} ", to_text(point.kind));
  if (point.kind != PointKind::kUnknown) {
    fmt::format_to(out, "{} ", print_owner(schedule, point));
  }
  // Offsets into code are read next to a disassembly, offsets into objects next to a struct.
  const bool hexadecimal = point.kind == PointKind::kGlobal || point.kind == PointKind::kUnknown;
  fmt::format_to(out, fmt::runtime(hexadecimal ? "+{:#x} " : "+{} "), point.offset);
  if (point.length == 0) {
    text += "whole";
  } else {
    fmt::format_to(out, "{}", point.length);
  }
  if (point.grade != PointGrade::kPoint) {
    fmt::format_to(out, " {}", to_text(point.grade));
  }
  text += '\n';
}

}  // namespace

std::string print_schedule(const Schedule& schedule) {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "heddle-schedule {}\n", kScheduleVersion);
  if (!schedule.build_id.empty()) {
    fmt::format_to(out, "build-id {}\n", print_word(schedule.build_id));
  }
  for (size_t i = 0; i < schedule.command.size(); ++i) {
    fmt::format_to(out, "{} {}\n", i == 0 ? "command" : "argument", print_word(schedule.command[i]));
  }
  if (!schedule.directory.empty()) {
    fmt::format_to(out, "directory {}\n", print_word(schedule.directory));
  }
  if (schedule.exploration != 0) {
    fmt::format_to(out, "exploration {} {}{}\n", schedule.exploration, print_word(schedule.exploration_name),
                   schedule.exploration_first ? " first" : "");
  }
  if (!schedule.policy.empty()) {
    fmt::format_to(out, "policy {}\n", print_words(schedule.policy));
  }
  fmt::format_to(out, "then {}\n", print_policy(schedule.then));
  if (schedule.failure) {
    fmt::format_to(out, "failure {}\n", to_text(*schedule.failure));
  }
  if (!schedule.message.empty()) {
    fmt::format_to(out, "message {}\n", quote(schedule.message));
  }
  if (schedule.output) {
    fmt::format_to(out, "output 0x{:016x}\n", *schedule.output);
  }
  fmt::format_to(out, "max-steps {}\n", schedule.max_steps);
  if (!schedule.spin_parking) {
    text += "spin-parking off\n";
  }
  if (schedule.detects_races) {
    text += "detect race\n";
  }
  fmt::format_to(out, "points {}\n", schedule.points.size());
  for (const PointRecord& point : schedule.points) {
    print_point(text, schedule, point);
  }
  fmt::format_to(out, "choices {}\n", schedule.choices());
  std::vector<std::string> names(schedule.threads.size());
  for (const StepRecord& step : schedule.steps) {
    std::string& name = names[step.thread];
    if (name.empty()) {
      name = schedule.threads.name(step.thread);
    }
    if (step.kind == StepKind::kRun) {
      fmt::format_to(out, "  {} {}\n", name, step.count);
    } else if (step.kind == StepKind::kFail) {
      fmt::format_to(out, "  {} {} {}\n", to_text(step.kind), name, step.count);
    } else {
      fmt::format_to(out, "  {} {}\n", to_text(step.kind), name);
    }
  }
  text += "end\n";
  return text;
}

}  // namespace heddle::trace
