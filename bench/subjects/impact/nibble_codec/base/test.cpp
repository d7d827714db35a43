// Three threads use, and a fourth one watches, one codec from its first use on: what one encodes, it can
// decode. Meanwhile labels are printed and stuck on parcels.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "labels.h"
#include "nibble_codec.h"

namespace {

constexpr int kRounds = 8;

struct Dispatch {
  codec::NibbleCodec codec{0x5b};
  codec::Labels labels;
  codec::Printers printers;
};

void send_parcels(Dispatch& dispatch, int parcel) {
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t printer = dispatch.printers.print(2);
    assert(dispatch.labels.stick(parcel, 100 + round));
    assert(dispatch.labels.label(parcel) == 100 + round);
    if (round % 4 == 3) dispatch.printers.refill(printer);
    assert(!dispatch.labels.stick(parcel, 1));
    assert(dispatch.labels.size() >= 1);
    assert(dispatch.printers.print(1) < codec::Printers::kPrinters);
    assert(dispatch.labels.peel_off(parcel));
    assert(dispatch.printers.printed() >= 3 * (round + 1));
  }
  assert(dispatch.printers.refills() >= kRounds / 4);
}

void send(codec::NibbleCodec& codec, const std::string& text) {
  const std::string sent = codec.encode(text);
  assert(codec.decode(sent) == text);
}

void check_bytes(codec::NibbleCodec& codec) {
  for (int byte = 0x21; byte < 0x25; ++byte) {
    const std::uint8_t coded = codec.encode(static_cast<std::uint8_t>(byte));
    assert(codec.decode(coded) == byte);
  }
}

void watch(const codec::NibbleCodec& codec) {
  const codec::Statistics before = codec.statistics();
  const std::size_t coded = codec.bytes_coded();
  assert(coded >= before.encoded + before.decoded);
  const codec::Statistics after = codec.statistics();
  assert(after.encoded + after.decoded >= coded);
  assert(after.calls >= before.calls);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<Dispatch>();
  Dispatch& dispatch = *owner;
  codec::NibbleCodec& codec = dispatch.codec;

  std::thread watcher([&] {
    watch(codec);
    send_parcels(dispatch, 1);
  });
  std::thread first([&] {
    send(codec, "north");
    send_parcels(dispatch, 2);
  });
  std::thread second([&] {
    send(codec, "gate");
    send_parcels(dispatch, 3);
  });
  std::thread third([&] {
    check_bytes(codec);
    send_parcels(dispatch, 4);
  });
  watcher.join();
  first.join();
  second.join();
  third.join();

  assert(codec.bytes_coded() == 10 + 8 + 8);
  assert(dispatch.labels.size() == 0);
  assert(dispatch.printers.printed() == 4 * 3 * kRounds);
}
