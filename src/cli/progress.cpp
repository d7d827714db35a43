#include "cli/progress.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "report/text.h"

namespace heddle {
namespace {

constexpr std::chrono::milliseconds kLiveInterval{200};
constexpr std::chrono::seconds kPlainInterval{30};

// CI systems give their jobs a terminal and keep every line that is written to it.
bool can_be_live() {
  const auto is = [](const char* name, std::string_view value) {
    const char* set = std::getenv(name);
    return set != nullptr && value == set;
  };
  return ::isatty(STDERR_FILENO) != 0 && !is("CI", "true") && !is("TERM", "dumb");
}

}  // namespace

Progress::Progress() : is_live_(can_be_live()), next_(Clock::now()) {
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
