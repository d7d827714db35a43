#include <bit>
#include <cstring>

#include "trace/hash.h"
#include "trace/trace.h"

namespace heddle::trace {
namespace {

// Digests eight bytes per multiplication: traces have gigabytes, and FNV goes byte by byte.
class Digest {
 public:
  void number(uint64_t value) {
    state_ = (std::rotl(state_, 27) ^ value) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 32;
  }

  void text(std::string_view text) {
    number(text.size());
    number(fnv1a(text));
  }

  void bytes(std::span<const std::byte> bytes) {
    number(bytes.size());
    size_t at = 0;
    for (; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, bytes.data() + at, sizeof(word));
      number(word);
    }
    uint64_t rest = 0;
    if (at < bytes.size()) {
      std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
    }
    number(rest);
  }

  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = kFnvBasis;
};

void add_outcome(Digest& digest, const Trace& trace) {
  const OutcomeRecord& outcome = trace.outcome();
  digest.number(static_cast<uint64_t>(outcome.kind));
  digest.number(outcome.thread);
  digest.number(static_cast<uint64_t>(outcome.signal));
  digest.number(static_cast<uint64_t>(outcome.exit_code));
  digest.number(outcome.steps);
  digest.number(outcome.diverged_step);
  digest.number(outcome.diverged_thread);
  digest.number(outcome.site);
  digest.number(outcome.context);
  digest.number(outcome.object);
  digest.number(outcome.offset);
  const size_t depth = outcome.stack_size < kMaxOutcomeStack ? outcome.stack_size : kMaxOutcomeStack;
  digest.bytes(std::as_bytes(std::span(outcome.stack).first(depth)));
  digest.text(trace.outcome_message());
}

}  // namespace

uint64_t trace_hash(const Trace& trace) {
  Digest digest;
  digest.number(trace.modules().size());
  for (const ModuleRecord& module : trace.modules()) {
    digest.number(module_key(trace.string(module.path)));
    digest.text(trace.string(module.build_id));
    digest.number(module.size);
  }
  digest.number(trace.threads().size());
  for (ThreadRecord thread : trace.threads()) {
    digest.text(trace.string(thread.name));
    thread.name = 0;
    digest.bytes(std::as_bytes(std::span(&thread, 1)));
  }
  for (const TableId table :
       {TableId::kSites, TableId::kContexts, TableId::kObjects, TableId::kSteps, TableId::kCoverage,
        TableId::kBlocked, TableId::kChoices, TableId::kAlternatives, TableId::kRaces, TableId::kEvents}) {
    digest.bytes(trace.table_bytes(table));
  }
  digest.number(trace.events_dropped());
  digest.number(trace.events_lost());
  add_outcome(digest, trace);
  return digest.value();
}

}  // namespace heddle::trace
