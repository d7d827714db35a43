#include "confirm/reference.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "trace/names.h"

namespace heddle {
namespace {

// So many orders of the threads; for three threads that is most of them.
constexpr uint64_t kOrders = 8;

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// The first line that none of the right outputs has.
std::string strange_line(const Execution& execution, const std::set<std::string>& outputs) {
  for (const std::string* text : {&execution.out, &execution.err}) {
    for (const std::string& line : sorted_lines(*text)) {
      const bool is_known = std::any_of(outputs.begin(), outputs.end(), [&](const std::string& output) {
        return ("\n" + output + "\n").find("\n" + line + "\n") != std::string::npos ||
               output.find("\f" + line) != std::string::npos || output.find(line + "\f") != std::string::npos;
      });
      if (!is_known) return line;
    }
  }
  return "";
}

bool is_silent(const trace::OutcomeKind kind) {
  return kind == trace::OutcomeKind::kOk || kind == trace::OutcomeKind::kRace ||
         kind == trace::OutcomeKind::kUseAfterFree;
}

std::string failure_text(const trace::OutcomeRecord& outcome) {
  const std::string message = outcome.message;
  return fmt::format("{}{}{}", trace::to_text(outcome.kind), message.empty() ? "" : ": ", message);
}

}  // namespace

std::string comparable_output(const Execution& execution) {
  return fmt::format("{}\f{}", fmt::join(sorted_lines(execution.out), "\n"),
                     fmt::join(sorted_lines(execution.err), "\n"));
}

uint64_t output_hash(const Execution& execution) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : comparable_output(execution)) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

Expected<Reference> Reference::make(ForkServer& server, const ExecutionRequest& base) {
  Reference reference;
  for (uint64_t order = 0; order <= kOrders; ++order) {
    ExecutionRequest request = base;
    request.policy = {.kind = order == 0 ? trace::PolicyKind::kNonpreemptive : trace::PolicyKind::kSerial,
                      .seed = order};
    const Expected<Execution> execution = server.run(request);
    if (!execution) return tl::unexpected(execution.error());
    ++reference.executions_;
    // One that fails may do so because of the order that is asked about.
    if (is_silent(execution->outcome.kind)) reference.outputs_.insert(comparable_output(*execution));
  }
  return reference;
}

void Reference::add(const Execution& execution) {
  if (is_silent(execution.outcome.kind))
    outputs_.insert(comparable_output(execution));
  else
    failures_.insert(failure_text(execution.outcome));
}

std::optional<std::string> Reference::objection(const Execution& execution) const {
  const trace::OutcomeRecord& outcome = execution.outcome;
  if (!is_silent(outcome.kind)) {
    std::string failure = failure_text(outcome);
    if (failures_.count(failure) != 0) return std::nullopt;
    return failure;
  }
  if (outputs_.empty() || outputs_.count(comparable_output(execution)) != 0) return std::nullopt;
  const std::string line = strange_line(execution, outputs_);
  return line.empty() ? "its output differs from that of every execution without preemption"
                      : fmt::format("it printed `{}`, which no execution without preemption does", line);
}

}  // namespace heddle
