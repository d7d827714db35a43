#include "interact/fast/host/service.h"

#include "interact/fast/host/confine.h"

namespace heddle::fast {

int HostService::serve() {
  Frame frame;
  while (link_.receive(&frame) == HostLink::Arrival::kFrame) {
    if (!answer(frame)) return 1;
  }
  return 0;
}

bool HostService::answer(const Frame& frame) {
  switch (frame.kind) {
    case FrameKind::kConfigure:
      return configure(frame);
    case FrameKind::kRun:
      return run(frame);
    case FrameKind::kAskPlaces:
      return tell_places();
    case FrameKind::kBeginLoop:
      return begin_loop(frame);
    case FrameKind::kRunSlice:
      return run_slice(frame);
    default:
      return fail("heddle-interact-host was asked for what it does not know");
  }
}

bool HostService::fail(const std::string& why) const {
  link_.send(FrameKind::kError, why);
  return false;
}

bool HostService::configure(const Frame& frame) {
  FrameReader reader(frame.text);
  FastOptions options = reader.options();
  if (!reader.is_whole() || runner_) return fail("heddle-interact-host was configured twice, or not in full");
  Expected<FastRunner> runner = FastRunner::create(std::move(options));
  if (!runner) return fail(runner.error().message);
  runner_ = std::move(*runner);
  if (const Expected<void> prepared = runner_->prepare_processes(); !prepared)
    return fail(prepared.error().message);
  if (!confine_host()) return fail("this machine has no seccomp");
  return link_.send(FrameKind::kReady, runner_->needs_processes());
}

bool HostService::run(const Frame& frame) {
  FrameReader reader(frame.text);
  const concolic::ProgramInput input = reader.input();
  if (!reader.is_whole() || !runner_)
    return fail("heddle-interact-host was given an input that is not complete");
  in_flight_.begin(input);
  const auto runs = runner_->run(input);
  in_flight_.end();
  if (!runs) return fail(runs.error().message);
  FrameWriter writer;
  writer.number(runs->size());
  for (const VersionRun& one : *runs) writer.run(one);
  return link_.send(FrameKind::kRan, writer.written());
}

bool HostService::tell_places() const {
  FrameWriter writer;
  const LoadedProgram* const head = runner_ ? runner_->loaded(kHeadVersion) : nullptr;
  const std::vector<uint64_t> places = head == nullptr ? std::vector<uint64_t>() : head->counter_places();
  writer.number(places.size());
  for (const uint64_t place : places) writer.number(place);
  return link_.send(FrameKind::kPlaces, writer.written());
}

bool HostService::begin_loop(const Frame& frame) {
  std::optional<fuzz::LoopSettings> settings = fuzz::settings_from(frame.text);
  if (!settings || !runner_)
    return fail("heddle-interact-host was told to make inputs before it was configured");
  fuzzing_.emplace(std::move(*settings), *runner_, link_, in_flight_);
  return true;
}

bool HostService::run_slice(const Frame& frame) {
  std::optional<fuzz::SliceRequest> request = fuzz::request_from(frame.text);
  if (!request || !fuzzing_) return fail("heddle-interact-host was not told what inputs to make");
  const Expected<void> done = fuzzing_->run_slice(std::move(*request));
  return done ? true : fail(done.error().message);
}

}  // namespace heddle::fast
