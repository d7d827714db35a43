#include "long_traces.h"

#include <fmt/format.h>

#include "common/trace_generator.h"
#include "trace/trace_file.h"

namespace heddle::bench {

Expected<Usage> compare_long_traces(const std::filesystem::path& heddle, const std::filesystem::path& folder,
                                    uint64_t events) {
  const std::string base = (folder / "base.trace").string();
  const std::string head = (folder / "head.trace").string();
  TraceShape shape{.events = events};
  if (const Expected<void> written = trace::write_trace(base, generate_trace(shape)); !written)
    return tl::unexpected(written.error());
  shape.removed_lock = shape.locks / 2;
  if (const Expected<void> written = trace::write_trace(head, generate_trace(shape)); !written)
    return tl::unexpected(written.error());
  const Expected<EndedProcess> ended = run_to_end({heddle.string(), "impact", base, head, "--no-count"});
  if (!ended) return tl::unexpected(ended.error());
  if (ended->exit_code != 0 && ended->exit_code != 1)
    return internal_error("comparing two long traces failed");
  return ended->usage;
}

}  // namespace heddle::bench
