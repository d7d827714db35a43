#include "check/lazy_confirmer.h"

namespace heddle {

Expected<Confirmer*> LazyConfirmer::get() {
  if (confirmer_ == nullptr) {
    ExecutionRequest base;
    base.flags = recording_.request.flags & trace::request_flag::kOsThreads;
    base.max_steps = recording_.request.max_steps;
    base.timeout = recording_.request.timeout;
    Expected<Reference> reference = Reference::make(server_, base);
    if (!reference) return tl::unexpected(reference.error());
    reference_ = std::move(*reference);
    if (is_own_ && (is_output_right_ || recording_.execution.failed())) reference_.add(recording_.execution);
    confirmer_ = std::make_unique<Confirmer>(server_, recording_, reference_);
  }
  return confirmer_.get();
}

}  // namespace heddle
