// Any bytes as std text: read or refused with a position, and what is read can be written and read again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/check.h"
#include "trace/std_text.h"
#include "trace/validate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle::trace;
  const auto trace = read_std_text({reinterpret_cast<const char*>(data), size}, "input");
  if (!trace) {
    HEDDLE_CHECK(trace.error().message.starts_with("input:"));
    return 0;
  }
  HEDDLE_CHECK(!validate(*trace));
  const std::string written = to_std_text(*trace);
  const auto again = read_std_text(written, "again");
  HEDDLE_CHECK(again);
  HEDDLE_CHECK(to_std_text(*again) == written);
  return 0;
}
