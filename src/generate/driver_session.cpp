#include "generate/driver_session.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "execute/unique_fd.h"
#include "generate/keys.h"
#include "support/check.h"
#include "symbolize/trace_symbols.h"
#include "trace/hash.h"

namespace heddle::generate {
namespace {

using namespace trace::request_flag;
using trace::OutcomeKind;

constexpr std::string_view kOperationFunctions[] = {"heddle_call_", "heddle_driver_call_"};
constexpr char kMarks[] = "heddle_driver_marks";
constexpr char kObject[] = "heddle_object";
constexpr char kOther[] = "heddle_other";

uint64_t position_key(uint32_t module, uint64_t offset) {
  return offset ^ static_cast<uint64_t>(module) << 48;
}

// Of the standard library, wherever it is; the class under test may be of another one that is installed.
bool is_of_standard_library(const Frame& frame) {
  return frame.file.find("/include/c++/") != std::string::npos || frame.file.starts_with("/usr/lib");
}

// "7::{lambda}" of "heddle_driver_call_7::{lambda}"; nothing of other functions.
std::optional<std::string_view> operation_number(std::string_view function) {
  for (const std::string_view prefix : kOperationFunctions) {
    if (function.size() > prefix.size() && function.starts_with(prefix) &&
        std::isdigit(static_cast<unsigned char>(function[prefix.size()])) != 0)
      return function.substr(prefix.size());
  }
  return std::nullopt;
}

RunEnd end_of(const Execution& execution, bool finished) {
  switch (execution.outcome.kind) {
    case OutcomeKind::kOk:
      return finished ? RunEnd::kFinished : RunEnd::kExited;
    case OutcomeKind::kRace:
      return finished ? RunEnd::kRace : RunEnd::kFailed;
    case OutcomeKind::kExitCode:
      return RunEnd::kExited;
    case OutcomeKind::kDeadlock:
    case OutcomeKind::kLostWakeup:
    case OutcomeKind::kLivelock:
      return RunEnd::kBlocked;
    case OutcomeKind::kHang:
      return RunEnd::kHung;
    default:
      return RunEnd::kFailed;
  }
}

std::string why(const Execution& execution) {
  static constexpr const char* kNames[] = {
#define HEDDLE_X(name, text) text,
      HEDDLE_OUTCOME_KINDS(HEDDLE_X)
#undef HEDDLE_X
  };
  const std::string kind = kNames[static_cast<size_t>(execution.outcome.kind)];
  const std::string_view message = execution.trace.outcome_message();
  if (execution.outcome.kind == OutcomeKind::kOk) return "the end of the process";
  if (execution.outcome.kind == OutcomeKind::kHang)
    return "no end: it computes for ever, or waits for something outside of the program";
  if (execution.outcome.kind == OutcomeKind::kExitCode)
    return fmt::format("exit({})", execution.outcome.exit_code);
  return message.empty() ? kind : fmt::format("{}: {}", kind, message);
}

}  // namespace

DriverSession::DriverSession(Options options, Symbolizer& symbolizer)
    : options_(std::move(options)),
      folder_(std::filesystem::absolute(options_.program).lexically_normal().parent_path().string() + "/"),
      symbolizer_(symbolizer) {}

Expected<std::unique_ptr<DriverSession>> DriverSession::start(const Options& options,
                                                              Symbolizer& symbolizer) {
  std::unique_ptr<DriverSession> session(new DriverSession(options, symbolizer));
  if (const Expected<void> mapped = session->map_plan_file(); !mapped) return tl::unexpected(mapped.error());
  TestCommand command;
  command.argv = {options.program.string()};
  command.environment = {{kPlanVariable, options.plan_file.string()}};
  Expected<ForkServer> server = ForkServer::start(std::move(command));
  if (!server) return tl::unexpected(server.error());
  session->server_.emplace(std::move(*server));
  return session;
}

DriverSession::~DriverSession() {
  server_.reset();
  if (file_ != nullptr) munmap(file_, sizeof(PlanFile));
}

Expected<void> DriverSession::map_plan_file() {
  const UniqueFd fd(open(options_.plan_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (fd.get() < 0 || ftruncate(fd.get(), sizeof(PlanFile)) != 0)
    return internal_error(
        fmt::format("cannot make {}: {}", options_.plan_file.string(), std::strerror(errno)));
  void* memory = mmap(nullptr, sizeof(PlanFile), PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (memory == MAP_FAILED)
    return internal_error(
        fmt::format("cannot map {}: {}", options_.plan_file.string(), std::strerror(errno)));
  file_ = static_cast<PlanFile*>(memory);
  return {};
}

void DriverSession::set_plan(const CallPlan& plan, bool wants_state) {
  HEDDLE_CHECK(plan.calls() <= kMaxCalls && plan.threads.size() <= kMaxThreads);
  plan_ = plan;
  PlanRecord& record = file_->plan;
  record = {};
  record.constructor = static_cast<uint32_t>(plan.constructor);
  record.before = static_cast<uint32_t>(plan.before.size());
  record.threads = static_cast<uint32_t>(plan.threads.size());
  record.after = static_cast<uint32_t>(plan.after.size());
  record.wants_state = wants_state ? 1 : 0;
  uint32_t next = 0;
  const auto add = [&](const std::vector<OperationId>& calls) {
    for (const OperationId call : calls) record.operations[next++] = static_cast<uint32_t>(call);
  };
  add(plan.before);
  HEDDLE_CHECK(plan.made_for.size() <= plan.before.size());
  for (size_t i = 0; i < plan.made_for.size(); ++i)
    record.made_for[i] = static_cast<uint8_t>(plan.made_for[i]);
  for (size_t i = 0; i < plan.threads.size(); ++i) {
    record.of_thread[i] = static_cast<uint32_t>(plan.threads[i].size());
    add(plan.threads[i]);
  }
  add(plan.after);
}

CallRun DriverSession::read(const Execution& execution) const {
  const AnswerRecord& answer = file_->answer;
  const auto text = [&](const CallRecord& call) -> std::string {
    // A program that runs wild may have written anything.
    if (call.text > kMaxText || call.length > kMaxText - call.text) return {};
    return std::string(answer.texts + call.text, call.length);
  };
  CallRun run;
  run.end = end_of(execution, answer.finished != 0);
  if (run.end != RunEnd::kFinished) run.why = why(execution);
  for (size_t i = 0; i < plan_.calls(); ++i) {
    const CallRecord& call = answer.calls[i];
    run.results.push_back({call.begun, call.ended, call.threw != 0, text(call)});
  }
  run.state = text(answer.state);
  run.other_state = text(answer.other_state);
  return run;
}

Expected<CallRun> DriverSession::run_alone(const CallPlan& plan, bool observes, uint64_t schedule) {
  set_plan(plan, observes);
  ExecutionRequest request;
  request.flags = observes ? kRecordEvents | kRecordAll : 0;
  if (schedule != 0) request.policy = {.kind = trace::PolicyKind::kRandom, .seed = schedule};
  request.max_steps = options_.max_steps;
  request.timeout = options_.timeout;
  const Expected<Execution> execution = server_->run(request);
  if (!execution) return tl::unexpected(execution.error());
  ++executions_;
  CallRun run = read(*execution);
  if (observes) run.last = read_last_call(execution->trace, *this);
  return run;
}

// What an operation's own function does around the method has no name: it is the same for all operations.
const DriverSession::KnownSite& DriverSession::known_site(const trace::Trace& trace, uint32_t site) {
  const trace::SiteRecord& record = trace.sites()[site];
  const auto [entry, is_new] = sites_.try_emplace(position_key(record.module, record.offset));
  KnownSite& known = entry->second;
  if (!is_new) return known;
  const trace::ModuleRecord& module = trace.modules()[record.module];
  const std::string path(trace.string(module.path));
  SiteKeys& keys = known.keys;
  keys.exact = trace::fnv1a(path);
  known.is_in_system = !is_user_frame({}, path);
  keys.is_in_library = known.is_in_system;  // also if it says nothing of its functions
  bool is_innermost = true;
  for (const Frame& frame : symbolizer_.code({path, {}}, record.offset)) {
    if (const std::optional<std::string_view> number = operation_number(frame.function)) {
      known.is_operation = true;
      known.operation = OperationId{static_cast<uint32_t>(std::strtoul(number->data(), nullptr, 10))};
      return known;
    }
    const uint64_t function = trace::fnv1a(frame.function);
    keys.exact = mix(mix(mix(keys.exact, function), frame.line), frame.column);
    if (frame.file.empty()) keys.exact = mix(keys.exact, record.offset);
    const bool is_of_caller = frame.file.starts_with(folder_);
    const bool is_own =
        !known.is_in_system && !is_of_caller && !is_of_driver(frame) && !is_of_standard_library(frame);
    if (is_own) {
      uint64_t key = mix(mix(function, frame.line), frame.column);
      if (frame.file.empty()) key = mix(key, record.offset);
      keys.code = mix(keys.code, key);
      if (keys.innermost == 0) keys.innermost = key;
    } else if (is_innermost) {
      keys.is_in_library = true;
    }
    keys.is_driver = keys.is_driver || (!keys.is_of_caller && is_of_driver(frame));
    keys.is_of_caller = keys.is_of_caller || is_of_caller;
    is_innermost = false;
  }
  return known;
}

bool DriverSession::is_operation(const trace::Trace& trace, uint32_t site) {
  return known_site(trace, site).is_operation;
}

SiteKeys DriverSession::keys(const trace::Trace& trace, uint32_t site) {
  return site == 0 ? SiteKeys{} : known_site(trace, site).keys;
}

DriverSession::EventPlace DriverSession::place_of(const trace::Trace& trace,
                                                  const trace::EventRecord& event) {
  EventPlace place{.operation = {}, .site = keys(trace, event.site).exact};
  if (event.site != 0) place.operation = known_site(trace, event.site).operation;
  for (uint32_t context = event.context; context != 0 && !place.operation;
       context = trace.contexts()[context].parent)
    place.operation = known_site(trace, trace.contexts()[context].call_site).operation;
  return place;
}

const DriverSession::KnownGlobal* DriverSession::known_global(const trace::Trace& trace,
                                                              const trace::EventRecord& event) {
  if (event.object == 0) return nullptr;
  const trace::ObjectRecord& object = trace.objects()[event.object];
  if (object.kind != trace::ObjectKind::kGlobal) return nullptr;
  const auto [entry, is_new] = globals_.try_emplace(position_key(object.owner, event.offset));
  KnownGlobal& known = entry->second;
  if (!is_new) return &known;
  const std::string path(trace.string(trace.modules()[object.owner].path));
  const std::optional<Variable> variable = symbolizer_.variable({path, {}}, event.offset);
  if (!variable) return &known;
  known.is_variable = is_user_frame({}, path);
  if (variable->name == kMarks) known.mark = static_cast<int64_t>(variable->offset);
  // Insides of a library's types have no names: they are one part.
  const std::optional<Variable> smallest = symbolizer_.data({path, {}}, event.offset);
  const uint64_t inner = smallest ? std::min(smallest->offset, variable->offset) : 0;
  if (variable->name == kObject) known.part = {ObjectPart::Of::kObject, variable->offset - inner};
  if (variable->name == kOther) known.part = {ObjectPart::Of::kOther, variable->offset - inner};
  return &known;
}

int64_t DriverSession::marked_call(const trace::Trace& trace, const trace::EventRecord& event) {
  if (event.kind != trace::EventKind::kWrite || event.size != 1) return -1;
  const KnownGlobal* known = known_global(trace, event);
  return known == nullptr ? -1 : known->mark;
}

ObjectPart DriverSession::part_of_object(const trace::Trace& trace, const trace::EventRecord& event) {
  const KnownGlobal* known = known_global(trace, event);
  return known == nullptr ? ObjectPart{} : known->part;
}

bool DriverSession::is_variable(const trace::Trace& trace, const trace::EventRecord& event) {
  const KnownGlobal* known = known_global(trace, event);
  return known == nullptr || (known->is_variable && !known_site(trace, event.site).is_in_system);
}

}  // namespace heddle::generate
