// Probes that watch endpoints and give them something to do, and the alarms that they raise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace latency {

class Probes {
 public:
  static constexpr std::size_t kEndpoints = 6;

  void answered(int endpoint);
  void failed(int endpoint);

  int failures(int endpoint) const;

  // The endpoint that has failed most often.
  int worst() const;
  int probes() const;

 private:
  struct Endpoint {
    int answers = 0;
    int failures = 0;
  };

  mutable std::mutex mutex_;
  std::array<Endpoint, kEndpoints> endpoints_{};
};

// What an endpoint is asked for: a digest, which takes some time to work out.
std::uint64_t digest(std::uint64_t of);

class Alarms {
 public:
  // False if it is raised already.
  bool raise(int endpoint);
  bool clear(int endpoint);

  bool is_raised(int endpoint) const;
  std::size_t raised() const;

  // How many were raised so far.
  int ever_raised() const;

 private:
  mutable std::mutex mutex_;
  std::vector<int> raised_;
  int ever_raised_ = 0;
};

}  // namespace latency
