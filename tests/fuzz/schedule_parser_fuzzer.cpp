// Whatever the text is, the schedule parser refuses it in one sentence, or what it read prints and reads
// again as the same schedule.
#include <cstddef>
#include <cstdint>
#include <string>

#include "support/check.h"
#include "trace/schedule.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle::trace;
  const auto schedule = parse_schedule({reinterpret_cast<const char*>(data), size}, "input");
  if (!schedule) {
    HEDDLE_CHECK(schedule.error().message.starts_with("input"));
    return 0;
  }
  const std::string text = print_schedule(*schedule);
  const auto again = parse_schedule(text, "printed");
  HEDDLE_CHECK(again.has_value());
  HEDDLE_CHECK(print_schedule(*again) == text);
  return 0;
}
