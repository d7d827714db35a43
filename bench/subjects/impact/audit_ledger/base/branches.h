// The branches of a bank: queues at their counters, the receipts written there, and the rates that they show.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace ledger {

// Who waits to be served.
class Counter {
 public:
  // Returns how many wait before this customer.
  std::size_t enter(int customer);
  bool leave(int customer);

  std::size_t waiting() const;
  int served() const;

 private:
  mutable std::mutex mutex_;
  std::vector<int> queue_;
  int served_ = 0;
};

// What a customer is given at a counter. Its seal takes long to work out, so that nobody finds one by trying.
struct Receipt {
  int customer = 0;
  int number = 0;
  std::uint64_t seal = 0;
};

Receipt write_receipt(int customer, int number);
bool is_genuine(const Receipt& receipt);

enum class Currency { dollar, pound, yen };

class Rates {
 public:
  void quote(Currency currency, int rate);

  int rate(Currency currency) const;

  // The difference of the highest and the lowest rate; nothing as long as one is missing.
  std::optional<int> spread() const;
  int quotes() const;

 private:
  mutable std::mutex mutex_;
  std::array<int, 3> rates_{};
  int quotes_ = 0;
};

}  // namespace ledger
