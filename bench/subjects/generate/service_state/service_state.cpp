#include "service_state.h"

#include <limits>

namespace service {

uint64_t ServiceState::pack(const Fields& fields) {
  return static_cast<uint64_t>(fields.phase) << 48 | static_cast<uint64_t>(fields.starts) << 32 |
         fields.requests;
}

ServiceState::Fields ServiceState::unpack(uint64_t word) {
  return {.phase = static_cast<Phase>(word >> 48),
          .starts = static_cast<uint16_t>(word >> 32),
          .requests = static_cast<uint32_t>(word)};
}

bool ServiceState::start() {
  return change([](Fields& fields) {
    if (fields.phase != Phase::kStopped) return false;
    fields.phase = Phase::kRunning;
    ++fields.starts;
    return true;
  });
}

bool ServiceState::stop() {
  return change([](Fields& fields) {
    if (fields.phase != Phase::kRunning) return false;
    fields.phase = fields.requests == 0 ? Phase::kStopped : Phase::kStopping;
    return true;
  });
}

bool ServiceState::fail() {
  return change([](Fields& fields) {
    if (fields.phase != Phase::kRunning && fields.phase != Phase::kStopping) return false;
    fields.phase = Phase::kFailed;
    return true;
  });
}

bool ServiceState::reset() {
  return change([](Fields& fields) {
    if (fields.phase != Phase::kFailed || fields.requests > 0) return false;
    fields.phase = Phase::kStopped;
    return true;
  });
}

bool ServiceState::begin_request() {
  return begin_requests(1);
}

bool ServiceState::begin_requests(uint16_t number) {
  return change([number](Fields& fields) {
    if (fields.phase != Phase::kRunning) return false;
    if (fields.requests > std::numeric_limits<uint32_t>::max() - number) return false;
    fields.requests += number;
    return true;
  });
}

bool ServiceState::end_request() {
  return change([](Fields& fields) {
    if (fields.requests == 0) return false;
    --fields.requests;
    if (fields.requests == 0 && fields.phase == Phase::kStopping) fields.phase = Phase::kStopped;
    return true;
  });
}

bool ServiceState::is_idle() const {
  const Fields fields = load();
  return fields.phase == Phase::kRunning && fields.requests == 0;
}

std::pair<Phase, uint32_t> ServiceState::summary() const {
  const Fields fields = load();
  return {fields.phase, fields.requests};
}

}  // namespace service
