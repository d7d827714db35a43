#include "interact/search/path_store.h"

#include <utility>

namespace heddle::interact {
namespace {

// With what PathIndex knows of them.
constexpr uint64_t kBytesOfNode = 100;
constexpr uint64_t kBytesOfEvent = 60;

}  // namespace

uint32_t PathStore::add(concolic::ProgramInput input, Path path) {
  const auto number = static_cast<uint32_t>(inputs_.size());
  inputs_.push_back(std::move(input));
  keep(number, std::move(path));
  return number;
}

Expected<PathStore::Path> PathStore::path(uint32_t number) {
  if (const auto found = kept_.find(number); found != kept_.end()) {
    uses_.splice(uses_.begin(), uses_, found->second.use);
    return found->second.path;
  }
  ++repetitions_;
  Expected<concolic::ConcolicRun> run = runner_.run(inputs_[number]);
  if (!run) return tl::unexpected(run.error());
  if (!run->damage.empty()) return Path();
  auto path = std::make_shared<const concolic::PathIndex>(std::move(run->recording));
  keep(number, path);
  return Path(path);
}

void PathStore::keep(uint32_t number, Path path) {
  const concolic::Recording& recording = path->recording();
  const uint64_t bytes = recording.nodes.size() * kBytesOfNode + recording.events.size() * kBytesOfEvent;
  bytes_ += bytes;
  uses_.push_front(number);
  kept_[number] = {std::move(path), bytes, uses_.begin()};
  while (bytes_ > most_ && uses_.size() > 1) {
    const auto oldest = kept_.find(uses_.back());
    bytes_ -= oldest->second.bytes;
    kept_.erase(oldest);
    uses_.pop_back();
  }
}

}  // namespace heddle::interact
