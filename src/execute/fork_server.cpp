#include "execute/fork_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>

#include "execute/outcome.h"
#include "execute/output.h"
#include "execute/runtime_location.h"
#include "execute/server_process.h"
#include "support/interruption.h"
#include "trace/point_less.h"
#include "trace/validate.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;
using trace::ArenaHeader;
using trace::ArenaTableId;
using trace::PointRecord;

// Milliseconds after which a wait looks whether the user has had enough.
constexpr int64_t kLongestWait = 500;

// The server's descriptors get numbers this high, so that the program's own start where they always do. But
// not higher: up to 64 of them, the kernel can copy their table without allocating one for each execution.
constexpr int kFirstServerFd = 60;

// A killed process is gone at once unless the machine is in trouble.
constexpr std::chrono::seconds kReapTimeout{20};
constexpr std::chrono::seconds kKillInterval{1};

// Thread shells that the server makes ahead, beyond which the children make their own.
constexpr uint32_t kMaxPrewarmThreads = 64;

Expected<UniqueFd> move_high(UniqueFd fd) {
  const int high = ::fcntl(fd.get(), F_DUPFD_CLOEXEC, kFirstServerFd);
  if (high >= 0) return UniqueFd(high);
  if (errno == EINVAL) return fd;  // the limit on open files is lower than that
  return internal_error(fmt::format("cannot open more files: {}", std::strerror(errno)));
}

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

Expected<Pipe> make_high_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return internal_error(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  Expected<UniqueFd> read_end = move_high(UniqueFd(ends[0]));
  Expected<UniqueFd> write_end = move_high(UniqueFd(ends[1]));
  if (!read_end || !write_end) return tl::unexpected(read_end ? write_end.error() : read_end.error());
  return Pipe{std::move(*read_end), std::move(*write_end)};
}

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) return fmt::format("died of {}", ::strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

// What the runtime writes when it announces the end of an execution, for ends that it could not announce.
void complete_outcome(trace::OutcomeRecord& outcome, std::span<const trace::StepRecord> steps) {
  if (outcome.steps != 0 || steps.empty()) return;
  outcome.thread = steps.back().thread;
  for (const trace::StepRecord& step : steps) outcome.steps += step.count;
}

// Points that a broken program has written over would spoil every later execution.
std::span<const PointRecord> sound_prefix(std::span<const PointRecord> points) {
  const auto unsound = std::find_if(points.begin(), points.end(), [](const PointRecord& point) {
    return point.kind > trace::PointKind::kUnknown || point.grade > trace::PointGrade::kHandedOver;
  });
  return points.first(static_cast<size_t>(unsound - points.begin()));
}

// What can be saved of a trace whose records a broken program has written over: the schedule that it
// followed, which is what a replay needs, if that is still whole.
trace::Trace salvage(const trace::Trace& damaged) {
  trace::TraceTables tables;
  for (trace::ThreadRecord thread : damaged.threads()) {
    thread.create_site = thread.create_context = thread.name = 0;
    tables.threads.push_back(thread);
  }
  tables.steps.assign(damaged.steps().begin(), damaged.steps().end());
  tables.points.assign(damaged.points().begin(), damaged.points().end());
  tables.outcome = damaged.outcome();
  forget_places(tables.outcome);
  if (tables.outcome.thread >= tables.threads.size()) tables.outcome.thread = 0;
  trace::OutcomeRecord outcome = tables.outcome;
  trace::Trace rest = trace::Trace::from_tables(std::move(tables));
  if (!trace::validate(rest)) return rest;
  outcome.thread = 0;
  return trace::Trace::from_tables({.outcome = outcome});
}

// Whether the trace shows how the program ended: by an exit, or with its last thread.
bool is_recorded_to_its_end(const trace::Trace& trace) {
  if (trace.events().empty() || trace.events_lost() > 0)
    return true;  // nothing was asked for, or to be known
  size_t threads_ended = 0;
  for (auto event = trace.events().rbegin(); event != trace.events().rend(); ++event) {
    if (event->kind == trace::EventKind::kExit) return true;
    if (event->kind == trace::EventKind::kThreadEnd) ++threads_ended;
  }
  return threads_ended == trace.threads().size();
}

bool is_ok_or_exit_code(trace::OutcomeKind kind) {
  return kind == trace::OutcomeKind::kOk || kind == trace::OutcomeKind::kExitCode;
}

// The last words of a program that could not be started, for the error message.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const size_t newline = text.rfind('\n');
  return newline == std::string::npos ? text : text.substr(newline + 1);
}

}  // namespace

class ForkServer::Impl {
 public:
  Impl(TestCommand command, ForkServerOptions options, BinaryInfo binary, std::string runtime, Arena arena,
       OutputPipe out, OutputPipe err, UniqueFd input)
      : command_(std::move(command)),
        options_(std::move(options)),
        binary_(std::move(binary)),
        runtime_(std::move(runtime)),
        arena_(std::move(arena)),
        out_(std::move(out)),
        err_(std::move(err)),
        input_(std::move(input)),
        cpu_(options_.pin ? next_cpu() : -1) {}

  Expected<void> start_process();
  Expected<Execution> run(const ExecutionRequest& request);
  size_t add_points(std::span<const PointRecord> points);
  void pass_output_through(bool on) {
    out_.copy_to(on ? STDOUT_FILENO : -1);
    err_.copy_to(on ? STDERR_FILENO : -1);
  }

  const TestCommand& command() const { return command_; }
  const BinaryInfo& binary() const { return binary_; }
  const std::vector<PointRecord>& points() const { return points_; }

 private:
  enum class Reply : char {
    kReady = 'R',
    kDone = 'D',
    kDoneWithProcessesLeft = 'L',
    kServerEnded = 'E',  // these two are no messages
    kTimeout = 'T',
  };

  Expected<void> prepare(const ExecutionRequest& request);
  std::optional<ProcessEnd> execute(const ExecutionRequest& request);
  Reply wait_until(Clock::time_point deadline);
  bool send(char command);
  Expected<void> startup_error(Reply reply);
  Execution collect(const ExecutionRequest& request, const ProcessEnd& end);
  int end_process();

  TestCommand command_;
  ForkServerOptions options_;
  BinaryInfo binary_;
  std::string runtime_;
  Arena arena_;
  OutputPipe out_;
  OutputPipe err_;
  UniqueFd input_;
  int cpu_;
  ThreadOnCpu thread_on_cpu_;
  uint32_t prewarm_threads_ = 0;
  std::vector<PointRecord> points_;  // in the order of the arena's table, which only grows
  std::set<PointRecord, trace::PointLess> known_points_;

  UniqueFd request_fd_;
  UniqueFd reply_fd_;
  std::optional<ServerProcess> process_;
};

Expected<void> ForkServer::Impl::start_process() {
  Expected<Pipe> request = make_high_pipe();
  if (!request) return tl::unexpected(request.error());
  Expected<Pipe> reply = make_high_pipe();
  if (!reply) return tl::unexpected(reply.error());
  const UniqueFd arena_fd(::fcntl(arena_.fd(), F_DUPFD_CLOEXEC, kFirstServerFd));
  const int arena_number = arena_fd ? arena_fd.get() : arena_.fd();

  ArenaHeader& header = arena_.header();
  header.server = 1;
  header.ready = 0;
  header.request_fd = request->read_end.get();
  header.reply_fd = reply->write_end.get();
  header.cpu = cpu_;

  SpawnRequest spawn;
  spawn.path = binary_.path;
  spawn.argv = command_.argv;
  spawn.directory = command_.directory;
  spawn.environment = runtime_environment(runtime_, command_, std::to_string(arena_number));
  spawn.stdin_fd = input_.get();
  spawn.stdout_fd = out_.write_end();
  spawn.stderr_fd = err_.write_end();
  spawn.inherited = {arena_number, header.request_fd, header.reply_fd};
  spawn.cpu = cpu_;
  spawn.fixed_addresses = options_.fixed_addresses;
  Expected<ServerProcess> process = ServerProcess::spawn(spawn);
  if (!process) return tl::unexpected(process.error());
  process_ = std::move(*process);
  request_fd_ = std::move(request->write_end);
  reply_fd_ = std::move(reply->read_end);
  // The tool's copies of the server's ends go now, so that the server's death shows as the end of the pipe.
  request->read_end.reset();
  reply->write_end.reset();

  const Reply answer = wait_until(Clock::now() + options_.startup_timeout);
  if (answer != Reply::kReady) return startup_error(answer);
  out_.take();
  err_.take();
  return {};
}

Expected<void> ForkServer::Impl::startup_error(Reply reply) {
  const bool attached = arena_.header().ready != 0;
  const int status = end_process();
  out_.drain();
  err_.drain();
  const std::string words = last_line(err_.take().first);
  // The runtime says itself what is wrong; with 2 it is what the user gave it.
  if (constexpr std::string_view kMark = "heddle: "; reply != Reply::kTimeout && words.starts_with(kMark)) {
    return tl::unexpected(Error{words.substr(kMark.size()), WIFEXITED(status) && WEXITSTATUS(status) == 2
                                                                ? Error::Kind::kUsage
                                                                : Error::Kind::kInternal});
  }
  const std::string said = words.empty() ? "" : fmt::format("; its last words: {}", words);
  if (reply == Reply::kTimeout) {
    return internal_error(fmt::format("{} was not ready within {:.3g} seconds{}", binary_.path,
                                      std::chrono::duration<double>(options_.startup_timeout).count(), said));
  }
  if (!attached) {
    return usage_error(
        fmt::format("{} {} before heddle's runtime was loaded{}", binary_.path, describe_end(status), said));
  }
  return internal_error(
      fmt::format("{} {} before its main function was reached{}", binary_.path, describe_end(status), said));
}

int ForkServer::Impl::end_process() {
  const int status = process_ ? process_->end() : 0;
  process_.reset();
  request_fd_.reset();
  reply_fd_.reset();
  return status;
}

bool ForkServer::Impl::send(char command) {
  ssize_t count;
  do {
    count = ::write(request_fd_.get(), &command, 1);
  } while (count < 0 && errno == EINTR);
  return count == 1;
}

// Reads the program's output all the while, since the program may be waiting for that. Nothing is left of it
// when the message comes that the execution is done: the reply is the first that poll looks at, and by then
// the program has written all.
ForkServer::Impl::Reply ForkServer::Impl::wait_until(Clock::time_point deadline) {
  for (;;) {
    const auto left = was_interrupted()
                          ? std::chrono::milliseconds(0)
                          : std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd fds[] = {{reply_fd_.get(), POLLIN, 0},
                    {process_->exit_fd(), POLLIN, 0},
                    {out_.read_end(), POLLIN, 0},
                    {err_.read_end(), POLLIN, 0}};
    const int ready =
        ::poll(fds, std::size(fds), static_cast<int>(std::clamp<int64_t>(left.count(), 0, kLongestWait)));
    if (ready < 0 || (ready == 0 && left.count() > 0)) continue;
    if (fds[2].revents != 0) out_.drain();
    if (fds[3].revents != 0) err_.drain();
    if (fds[0].revents != 0) {
      char got;
      const ssize_t count = ::read(reply_fd_.get(), &got, 1);
      if (count == 1) return static_cast<Reply>(got);
      if (count == 0) return Reply::kServerEnded;
    } else if (fds[1].revents != 0) {
      return Reply::kServerEnded;
    } else if (left.count() <= 0) {
      return Reply::kTimeout;
    }
  }
}

Expected<void> ForkServer::Impl::prepare(const ExecutionRequest& request) {
  arena_.reset();
  write_request(request, arena_.header().request);
  std::span<const trace::ScheduleThreadRecord> threads;
  std::span<const trace::StepRecord> steps;
  if (request.schedule != nullptr) {
    threads = request.schedule->threads.records();
    steps = request.schedule->steps;
  }
  Expected<void> filled = arena_.fill(ArenaTableId::kInputThreads, threads);
  if (filled) filled = arena_.fill(ArenaTableId::kInputSteps, steps);
  if (filled) filled = arena_.fill(ArenaTableId::kInputAsleep, request.asleep);
  if (filled) filled = arena_.fill(ArenaTableId::kInputStatements, request.statements);
  if (filled) filled = arena_.fill(ArenaTableId::kInputEstimates, request.estimates);
  if (filled) filled = arena_.fill(ArenaTableId::kInputConstraints, request.constraints);
  if (filled) filled = arena_.fill(ArenaTableId::kInputPoints, std::span<const PointRecord>(points_));
  if (!filled) return filled;

  ::lseek(input_.get(), options_.input.start(), SEEK_SET);
  out_.take();
  err_.take();
  return {};
}

// Nothing: the server has died, or does not answer.
std::optional<ProcessEnd> ForkServer::Impl::execute(const ExecutionRequest& request) {
  if (!send('G')) return std::nullopt;
  ProcessEnd end;
  end.timeout = request.timeout;
  end.stop_at_divergence = request.stop_at_divergence;
  Reply reply = wait_until(Clock::now() + request.timeout);
  const auto last_moment = Clock::now() + kReapTimeout;
  while (reply == Reply::kTimeout && Clock::now() < last_moment) {
    end.timed_out = true;
    process_->kill_children();
    // Not at once until the end: on a busy machine the child may only be about to be made.
    reply = wait_until(std::min(Clock::now() + kKillInterval, last_moment));
  }
  if (reply == Reply::kDoneWithProcessesLeft) {
    process_->kill_children();
    out_.drain();
    err_.drain();
  } else if (reply != Reply::kDone) {
    return std::nullopt;
  }
  end.start_error = arena_.header().start_error;
  end.wait_status = arena_.header().wait_status;
  return end;
}

Expected<Execution> ForkServer::Impl::run(const ExecutionRequest& request) {
  thread_on_cpu_.move(cpu_);
  int status = 0;
  for (const bool again : {false, true}) {
    if (!process_) {
      Expected<void> started = start_process();
      if (!started) return tl::unexpected(started.error());
    }
    Expected<void> prepared = prepare(request);
    if (!prepared) return tl::unexpected(prepared.error());
    if (const std::optional<ProcessEnd> end = execute(request)) {
      if (end->start_error != 0) {
        return internal_error(fmt::format("cannot start an execution of {}: {}", binary_.path,
                                          std::strerror(end->start_error)));
      }
      if (WIFSIGNALED(end->wait_status) && arena_.is_disk_full()) {
        return usage_error("the disk became full while the program was recorded");
      }
      Execution execution = collect(request, *end);
      execution.server_restarted = again;
      return execution;
    }
    status = end_process();
  }
  return internal_error(
      fmt::format("the process that serves executions of {} {}, and did so again after it "
                  "was started anew; does the program kill its parent or process group?",
                  binary_.path, describe_end(status)));
}

Execution ForkServer::Impl::collect(const ExecutionRequest& request, const ProcessEnd& end) {
  ArenaHeader& header = arena_.header();
  Execution execution;
  const trace::OutcomeKind announced = header.outcome.kind;
  header.outcome = merge_outcome(header.outcome, end);
  if (announced != trace::OutcomeKind::kOk && header.outcome.kind != announced) {
    // Where a race was is not where the program failed: it went on.
    forget_places(header.outcome);
    header.outcome.thread = 0;
    if (const auto steps = arena_.table<trace::StepRecord>(trace::TableId::kSteps); !steps.empty())
      header.outcome.thread = steps.back().thread;
  }
  complete_outcome(header.outcome, arena_.table<trace::StepRecord>(trace::TableId::kSteps));
  // The points in force are those that were asked for: the trace shares the input table.
  header.tables[static_cast<size_t>(trace::TableId::kPoints)] =
      header.arena_tables[static_cast<size_t>(ArenaTableId::kInputPoints)];
  execution.trace = trace::Trace::view_of(&header, arena_.size());
  if (const std::optional<trace::Damage> damage = trace::validate(execution.trace)) {
    give_up_unless_failed(header.outcome, fmt::format("the record of this execution is damaged ({}), so what "
                                                      "the program did is not known",
                                                      damage->text()));
    execution.trace = salvage(execution.trace);
    execution.damage = damage->text();
  } else if (WIFEXITED(end.wait_status) && is_ok_or_exit_code(header.outcome.kind) &&
             !was_ended(header.outcome, end)) {
    execution.left_control = !is_recorded_to_its_end(execution.trace);
  }
  execution.outcome = execution.trace.outcome();
  if (request.schedule != nullptr && execution.outcome.diverged_step != 0) {
    execution.divergence = describe_divergence(*request.schedule, execution.outcome, execution.trace);
  }
  execution.trace.describe(command_.argv, trace::print_policy(request.policy));
  execution.learned = sound_prefix(arena_.table<PointRecord>(ArenaTableId::kLearned));
  auto [out, out_cut] = out_.take();
  auto [err, err_cut] = err_.take();
  execution.out = std::move(out);
  execution.err = std::move(err);
  execution.output_truncated = out_cut || err_cut;
  execution.held_back = header.held_back != 0;
  execution.cpu_time = std::chrono::nanoseconds(header.cpu_nanoseconds);
  execution.max_rss_kb = header.max_rss_kb;
  execution.threads_created = header.saw_threads;
  execution.instrumented = header.saw_instrumented != 0;
  header.prewarm_threads = prewarm_threads_ =
      std::max(prewarm_threads_, std::min(header.saw_threads, kMaxPrewarmThreads));
  return execution;
}

size_t ForkServer::Impl::add_points(std::span<const PointRecord> points) {
  const size_t before = points_.size();
  for (const PointRecord& point : points) {
    if (known_points_.insert(point).second) points_.push_back(point);
  }
  return points_.size() - before;
}

Expected<ForkServer> ForkServer::start(TestCommand command, ForkServerOptions options) {
  Expected<std::string> path = resolve_program(command);
  if (!path) return tl::unexpected(path.error());
  Expected<BinaryInfo> binary = inspect_binary(*path);
  if (!binary) return tl::unexpected(binary.error());
  if (Expected<void> usable = check_runnable(*binary); !usable) return tl::unexpected(usable.error());
  Expected<std::string> runtime = find_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  Expected<Arena> arena = Arena::create(options.arena);
  if (!arena) return tl::unexpected(arena.error());
  Expected<OutputPipe> out = OutputPipe::create(options.output_limit);
  if (!out) return tl::unexpected(out.error());
  Expected<OutputPipe> err = OutputPipe::create(options.output_limit);
  if (!err) return tl::unexpected(err.error());
  Expected<UniqueFd> input = options.input.open();
  if (!input) return tl::unexpected(input.error());

  auto impl =
      std::make_unique<Impl>(std::move(command), std::move(options), std::move(*binary), std::move(*runtime),
                             std::move(*arena), std::move(*out), std::move(*err), std::move(*input));
  if (Expected<void> started = impl->start_process(); !started) return tl::unexpected(started.error());
  return ForkServer(std::move(impl));
}

ForkServer::ForkServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ForkServer::ForkServer(ForkServer&&) noexcept = default;
ForkServer& ForkServer::operator=(ForkServer&&) noexcept = default;
ForkServer::~ForkServer() = default;

Expected<Execution> ForkServer::run(const ExecutionRequest& request) {
  return impl_->run(request);
}

size_t ForkServer::add_points(std::span<const PointRecord> points) {
  return impl_->add_points(points);
}

const std::vector<PointRecord>& ForkServer::points() const {
  return impl_->points();
}

void ForkServer::pass_output_through(bool on) {
  impl_->pass_output_through(on);
}

const TestCommand& ForkServer::command() const {
  return impl_->command();
}

const BinaryInfo& ForkServer::binary() const {
  return impl_->binary();
}

trace::Schedule ForkServer::schedule_of(const ExecutionRequest& request, const Execution& execution) const {
  trace::Schedule schedule = trace::schedule_of(execution.trace);
  schedule.build_id = binary().build_id;
  schedule.command = command().argv;
  std::error_code ignored;
  schedule.directory =
      (std::filesystem::current_path(ignored) / command().directory).lexically_normal().string();
  schedule.policy = trace::print_policy(request.policy);
  if (execution.failed()) {
    schedule.failure = execution.outcome.kind;
    schedule.message = execution.outcome.message;
  }
  schedule.max_steps = request.max_steps;
  schedule.spin_parking = (request.flags & trace::request_flag::kNoSpinParking) == 0;
  schedule.detects_races = (request.flags & trace::request_flag::kDetectRaces) != 0;
  return schedule;
}

}  // namespace heddle
