#include "cli/progress.h"

#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "report/text.h"

namespace heddle {
namespace {

constexpr std::chrono::milliseconds kLiveInterval{200};
constexpr std::chrono::seconds kPlainInterval{30};

}  // namespace

Progress::Progress() : is_live_(::isatty(STDERR_FILENO) != 0), next_(Clock::now()) {
  next_ += is_live_ ? Clock::duration(kLiveInterval) : Clock::duration(kPlainInterval);
}

void Progress::update(const std::function<std::string()>& text) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  if (is_live_) {
    clear();
    std::fputs(fmt::format("heddle: {}", text()).c_str(), stderr);
    is_shown_ = true;
    next_ = now + kLiveInterval;
  } else {
    say(text());
    next_ = now + kPlainInterval;
  }
}

void Progress::clear() {
  if (is_shown_) std::fputs("\r\x1b[K", stderr);
  is_shown_ = false;
}

}  // namespace heddle
