// ServiceState: whether a service runs, and how many requests it works on.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace service {

enum class Phase : uint8_t { kStopped, kRunning, kStopping, kFailed };

// Thread-safe without locks: all of it is one atomic number.
class ServiceState {
 public:
  ServiceState() = default;  // stopped
  ServiceState(const ServiceState&) = delete;
  ServiceState& operator=(const ServiceState&) = delete;

  // What a method cannot do in the present phase it does not do, and says false.
  bool start();                          // from stopped
  bool stop();                           // from running; at once, or when the last request has ended
  bool fail();                           // from running and stopping
  bool reset();                          // from failed, when no request is left
  bool begin_request();                  // while running
  bool end_request();                    // if there is one
  bool begin_requests(uint16_t number);  // all of them or none

  Phase phase() const { return load().phase; }
  bool is_running() const { return phase() == Phase::kRunning; }
  uint32_t requests() const { return load().requests; }
  // How often it has been started.
  uint16_t starts() const { return load().starts; }
  bool is_idle() const;
  std::pair<Phase, uint32_t> summary() const;

 private:
  struct Fields {
    Phase phase = Phase::kStopped;
    uint16_t starts = 0;
    uint32_t requests = 0;
  };

  static uint64_t pack(const Fields& fields);
  static Fields unpack(uint64_t word);
  Fields load() const { return unpack(word_.load()); }

  // Applies a change until nobody came in between. A change that says false has not changed anything.
  template <typename Change>
  bool change(Change change) {
    uint64_t word = word_.load();
    for (;;) {
      Fields fields = unpack(word);
      if (!change(fields)) return false;
      if (word_.compare_exchange_weak(word, pack(fields))) return true;
    }
  }

  std::atomic<uint64_t> word_{0};
};

}  // namespace service
