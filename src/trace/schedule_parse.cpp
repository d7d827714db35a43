#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "trace/hash.h"
#include "trace/names.h"
#include "trace/printable.h"
#include "trace/schedule.h"
#include "trace/schedule_words.h"

namespace heddle::trace {
namespace {

using Words = std::vector<Word>;

// Decimal, or hexadecimal after 0x.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) {
    text.remove_prefix(2);
  }
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, hexadecimal ? 16 : 10);
  if (error != std::errc() || stop != end) {
    return std::nullopt;
  }
  return number;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  Expected<Schedule> parse() {
    while (!rest_.empty()) {
      const size_t end = std::min(rest_.find('\n'), rest_.size());
      const std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++line_;
      auto words = split_words(line);
      if (!words) {
        return fail(words.error().message);
      }
      if (words->empty()) {
        continue;
      }
      if (auto done = parse_line(*words); !done) {
        return tl::unexpected(done.error());
      }
    }
    return finish();
  }

 private:
  enum class Section { kStart, kFields, kPoints, kChoices, kEnd };

  // A line `keyword …`: how many words may follow, and what to do with them.
  struct Field {
    std::string_view keyword;
    size_t min_words, max_words;
    std::string_view expected;
    Expected<void> (Parser::*handle)(const Words&);
  };
  static const Field kFields[];

  tl::unexpected<Error> fail(std::string_view what) const {
    return usage_error(fmt::format("{}:{}: {}", name_, line_, printable(what, 400)));
  }

  Expected<void> parse_line(const Words& words) {
    const std::string& first = words[0].text;
    switch (section_) {
      case Section::kStart:
        return parse_version(words);
      case Section::kEnd:
        return fail(fmt::format("'{}' after the end of the schedule", first));
      case Section::kPoints:
        for (const PointKind kind :
             {PointKind::kGlobal, PointKind::kHeap, PointKind::kStack, PointKind::kUnknown}) {
          if (to_text(kind) == first) {
            return parse_point(kind, words);
          }
        }
        break;
      case Section::kChoices:
        for (const StepKind kind : {StepKind::kTimeout, StepKind::kWake, StepKind::kSpurious}) {
          if (first == to_text(kind)) {
            return parse_single_choice(kind, words);
          }
        }
        if (first == to_text(StepKind::kFail)) {
          return parse_failed_allocation(words);
        }
        if (first.starts_with("main")) {
          return parse_run(words);
        }
        break;
      case Section::kFields:
        break;
    }
    return parse_field(words);
  }

  Expected<void> parse_version(const Words& words) {
    const auto version = words.size() == 2 ? parse_number<uint32_t>(words[1].text) : std::nullopt;
    if (words[0].text != "heddle-schedule" || !version || *version == 0) {
      return usage_error(fmt::format("{} is not a heddle schedule: line {} should be 'heddle-schedule {}'",
                                     name_, line_, kScheduleVersion));
    }
    if (*version > kScheduleVersion) {
      return usage_error(
          fmt::format("{} was made by a newer heddle: it has schedule format {}, and this one reads "
                      "formats up to {}",
                      name_, *version, kScheduleVersion));
    }
    section_ = Section::kFields;
    return {};
  }

  Expected<void> parse_field(const Words& words);

  Expected<void> parse_build_id(const Words& words) {
    schedule_.build_id = words[1].text;
    return {};
  }

  Expected<void> parse_command(const Words& words) {
    schedule_.command.push_back(words[1].text);
    return {};
  }

  Expected<void> parse_argument(const Words& words) {
    if (schedule_.command.empty()) {
      return fail("'argument' before 'command'");
    }
    schedule_.command.push_back(words[1].text);
    return {};
  }

  Expected<void> parse_directory(const Words& words) {
    schedule_.directory = words[1].text;
    return {};
  }

  Expected<void> parse_exploration(const Words& words) {
    const auto number = parse_number<uint64_t>(words[1].text);
    if (!number || *number == 0) {
      return fail(fmt::format("'{}' is not the number of an exploration", words[1].text));
    }
    schedule_.exploration = *number;
    schedule_.exploration_name = words[2].text;
    schedule_.exploration_first = words.size() > 3;
    if (words.size() > 3 && words[3].text != "first") {
      return fail(
          fmt::format("'{}' after the name of an exploration: expected 'first' or nothing", words[3].text));
    }
    return {};
  }

  static std::string join(const Words& words) {
    std::string text = words[1].text;
    for (size_t i = 2; i < words.size(); ++i) {
      text += ' ' + words[i].text;
    }
    return text;
  }

  Expected<void> parse_made_by(const Words& words) {
    schedule_.policy = join(words);
    return {};
  }

  Expected<void> parse_then(const Words& words) {
    const auto policy = parse_policy(join(words));
    if (!policy) {
      return fail(policy.error().message);
    }
    schedule_.then = *policy;
    return {};
  }

  Expected<void> parse_failure(const Words& words) {
    schedule_.failure = parse_outcome_kind(words[1].text);
    if (!schedule_.failure) {
      return fail(fmt::format("unknown kind of failure '{}'", words[1].text));
    }
    return {};
  }

  Expected<void> parse_message(const Words& words) {
    schedule_.message = words[1].text;
    return {};
  }

  Expected<void> parse_output(const Words& words) {
    schedule_.output = parse_number<uint64_t>(words[1].text);
    if (!schedule_.output) {
      return fail(fmt::format("'{}' is not the hash of an output", words[1].text));
    }
    return {};
  }

  Expected<void> parse_max_steps(const Words& words) {
    const auto steps = parse_number<uint64_t>(words[1].text);
    if (!steps) {
      return fail(fmt::format("'{}' is not a number of steps", words[1].text));
    }
    schedule_.max_steps = *steps;
    return {};
  }

  Expected<void> parse_spin_parking(const Words& words) {
    if (words[1].text != "on" && words[1].text != "off") {
      return fail(fmt::format("'{}' is neither 'on' nor 'off'", words[1].text));
    }
    schedule_.spin_parking = words[1].text == "on";
    return {};
  }

  Expected<void> parse_detect(const Words& words) {
    if (words[1].text != "race") {
      return fail(fmt::format("'{}' is nothing that can be detected; 'race' is", words[1].text));
    }
    schedule_.detects_races = true;
    return {};
  }

  Expected<void> begin_section(const Words& words, Section section, std::optional<uint64_t>& announced) {
    section_ = section;
    if (words.size() == 1) {
      return {};
    }
    announced = parse_number<uint64_t>(words[1].text);
    if (!announced) {
      return fail(fmt::format("'{}' is not a number of {}", words[1].text, words[0].text));
    }
    return {};
  }

  Expected<void> parse_points(const Words& words) {
    return begin_section(words, Section::kPoints, announced_points_);
  }

  Expected<void> parse_choices(const Words& words) {
    return begin_section(words, Section::kChoices, announced_choices_);
  }

  Expected<void> parse_end(const Words&) {
    section_ = Section::kEnd;
    return {};
  }

  // `global OWNER +OFFSET LENGTH [handed-over]`; an unknown point has no owner.
  Expected<void> parse_point(PointKind kind, Words words) {
    const bool has_owner = kind != PointKind::kUnknown;
    PointRecord point{};
    point.kind = kind;
    if (words.back().text == to_text(PointGrade::kHandedOver)) {
      point.grade = PointGrade::kHandedOver;
      words.pop_back();
    }
    if (words.size() != (has_owner ? 4u : 3u)) {
      return fail(fmt::format("expected '{} {}+OFFSET LENGTH'", words[0].text, has_owner ? "OWNER " : ""));
    }
    if (has_owner) {
      if (auto done = parse_owner(point, words[1]); !done) {
        return done;
      }
    }
    const std::string& offset_text = words[words.size() - 2].text;
    const auto offset = offset_text.starts_with('+')
                            ? parse_number<uint64_t>(std::string_view(offset_text).substr(1))
                            : std::nullopt;
    if (!offset) {
      return fail(fmt::format("'{}' is not an offset such as +16 or +0x40", offset_text));
    }
    const std::string& length_text = words.back().text;
    const auto length = length_text == "whole" ? 0u : parse_number<uint32_t>(length_text);
    if (!length || (*length == 0 && length_text != "whole")) {
      return fail(fmt::format("'{}' is not a length: expected a number of bytes or 'whole'", length_text));
    }
    point.offset = *offset;
    point.length = *length;
    schedule_.points.push_back(point);
    return {};
  }

  Expected<void> parse_owner(PointRecord& point, const Word& owner) {
    if (!owner.quoted && is_point_key(owner.text)) {
      std::from_chars(owner.text.data(), owner.text.data() + owner.text.size(), point.key, 16);
      return {};
    }
    if (point.kind == PointKind::kHeap) {
      return fail(fmt::format("'{}' is not an allocation: expected 16 hexadecimal digits", owner.text));
    }
    if (point.kind == PointKind::kStack && !is_thread_path(owner.text)) {
      return fail(fmt::format("'{}' is not a thread: expected a name such as main/1", owner.text));
    }
    point.key = fnv1a(owner.text);
    schedule_.key_names[point.key] = owner.text;
    return {};
  }

  Expected<uint32_t> parse_thread(const Word& word) {
    const auto entry = schedule_.threads.intern(word.text);
    if (!entry) {
      return fail(fmt::format("'{}' is not a thread: expected a name such as main/1", word.text));
    }
    if (schedule_.threads.size() > kMaxScheduleThreads) {
      return fail(fmt::format("more than {} threads", kMaxScheduleThreads));
    }
    return *entry;
  }

  // `main/1 3`
  Expected<void> parse_run(const Words& words) {
    if (words.size() != 2) {
      return fail(fmt::format("expected '{} COUNT'", words[0].text));
    }
    const auto thread = parse_thread(words[0]);
    if (!thread) {
      return tl::unexpected(thread.error());
    }
    const auto count = parse_number<uint32_t>(words[1].text);
    if (!count || *count == 0) {
      return fail(fmt::format("'{}' is not a number of operations", words[1].text));
    }
    schedule_.add(StepKind::kRun, *thread, *count);
    return {};
  }

  // `wake main/1`
  Expected<void> parse_single_choice(StepKind kind, const Words& words) {
    if (words.size() != 2) {
      return fail(fmt::format("expected '{} THREAD'", words[0].text));
    }
    const auto thread = parse_thread(words[1]);
    if (!thread) {
      return tl::unexpected(thread.error());
    }
    schedule_.add(kind, *thread);
    return {};
  }

  // `fail-allocation main/1 2`
  Expected<void> parse_failed_allocation(const Words& words) {
    if (words.size() != 3) {
      return fail(fmt::format("expected '{} THREAD COUNT'", words[0].text));
    }
    const auto thread = parse_thread(words[1]);
    if (!thread) {
      return tl::unexpected(thread.error());
    }
    const auto count = parse_number<uint32_t>(words[2].text);
    if (!count || *count == 0) {
      return fail(fmt::format("'{}' is not a number of allocations", words[2].text));
    }
    schedule_.add(StepKind::kFail, *thread, *count);
    return {};
  }

  Expected<Schedule> finish() {
    if (section_ == Section::kStart) {
      return usage_error(fmt::format("{} is empty, not a heddle schedule", name_));
    }
    if (section_ != Section::kEnd) {
      return usage_error(fmt::format("{} is truncated: there is no 'end' after line {}", name_, line_));
    }
    for (const std::string_view needed : {"command", "choices"}) {
      if (!seen_.contains(needed)) {
        return usage_error(fmt::format("{} is not complete: there is no '{}' line", name_, needed));
      }
    }
    if (announced_points_ && *announced_points_ != schedule_.points.size()) {
      return usage_error(fmt::format("{} is damaged: it announces {} points but has {}", name_,
                                     *announced_points_, schedule_.points.size()));
    }
    if (announced_choices_ && *announced_choices_ != schedule_.choices()) {
      return usage_error(fmt::format("{} is damaged: it announces {} choices but has {}", name_,
                                     *announced_choices_, schedule_.choices()));
    }
    return std::move(schedule_);
  }

  std::string_view rest_;
  const std::string& name_;
  size_t line_ = 0;
  Section section_ = Section::kStart;
  std::set<std::string_view> seen_;  // fields that may appear once
  std::optional<uint64_t> announced_points_;
  std::optional<uint64_t> announced_choices_;
  Schedule schedule_;
};

constexpr size_t kAny = SIZE_MAX;

const Parser::Field Parser::kFields[] = {
    {"build-id", 1, 1, "ID", &Parser::parse_build_id},
    {"command", 1, 1, "PROGRAM", &Parser::parse_command},
    {"argument", 1, 1, "WORD", &Parser::parse_argument},
    {"directory", 1, 1, "PATH", &Parser::parse_directory},
    {"exploration", 2, 3, "NUMBER NAME [first]", &Parser::parse_exploration},
    {"policy", 1, kAny, "POLICY", &Parser::parse_made_by},
    {"then", 1, 3, "POLICY", &Parser::parse_then},
    {"failure", 1, 1, "KIND", &Parser::parse_failure},
    {"message", 1, 1, "\"TEXT\"", &Parser::parse_message},
    {"output", 1, 1, "HASH", &Parser::parse_output},
    {"max-steps", 1, 1, "NUMBER", &Parser::parse_max_steps},
    {"spin-parking", 1, 1, "on|off", &Parser::parse_spin_parking},
    {"detect", 1, 1, "race", &Parser::parse_detect},
    {"points", 0, 1, "[NUMBER]", &Parser::parse_points},
    {"choices", 0, 1, "[NUMBER]", &Parser::parse_choices},
    {"end", 0, 0, "", &Parser::parse_end},
};

Expected<void> Parser::parse_field(const Words& words) {
  const std::string& first = words[0].text;
  const auto* field = std::find_if(std::begin(kFields), std::end(kFields),
                                   [&](const Field& f) { return f.keyword == first; });
  if (field == std::end(kFields)) {
    const std::string_view expected = section_ == Section::kPoints ? "a point or a field"
                                      : section_ == Section::kChoices
                                          ? "a choice or 'end'"
                                          : "a field such as 'command' or 'points'";
    return fail(fmt::format("unknown word '{}': expected {}", first, expected));
  }
  const size_t count = words.size() - 1;
  if (count < field->min_words || count > field->max_words) {
    return fail(fmt::format("expected '{}{}{}'", first, field->expected.empty() ? "" : " ", field->expected));
  }
  if (first != "argument" && !seen_.insert(field->keyword).second) {
    return fail(fmt::format("a second '{}'", first));
  }
  section_ = Section::kFields;
  return (this->*field->handle)(words);
}

}  // namespace

Expected<Schedule> parse_schedule(std::string_view text, const std::string& name) {
  return Parser(text, name).parse();
}

}  // namespace heddle::trace
