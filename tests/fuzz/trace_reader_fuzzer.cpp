// Whatever the bytes are, the trace reader refuses them in one sentence or gives a trace that can be used.
#include <cstddef>
#include <cstdint>
#include <string>

#include "support/check.h"
#include "trace/schedule.h"
#include "trace/trace_file.h"
#include "trace/validate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle::trace;
  const auto trace = read_trace_bytes(std::string(reinterpret_cast<const char*>(data), size), "input");
  if (!trace) {
    HEDDLE_CHECK(trace.error().message.find("input") != std::string::npos);
    return 0;
  }
  HEDDLE_CHECK(!validate(*trace));
  const Trace copy = trace->clone();
  HEDDLE_CHECK(trace_hash(copy) == trace_hash(*trace));
  // The schedule's text has its own limits; only the conversion must hold for every valid trace.
  HEDDLE_CHECK(schedule_of(*trace).steps.size() <= trace->steps().size());
  return 0;
}
