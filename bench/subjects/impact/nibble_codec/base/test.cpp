// Three threads use, and a fourth one watches, one codec from its first use on: what one encodes, it can
// decode.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "nibble_codec.h"

namespace {

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
  const auto owner = std::make_unique<codec::NibbleCodec>(0x5b);
  codec::NibbleCodec& codec = *owner;

  std::thread watcher([&] { watch(codec); });
  std::thread first([&] { send(codec, "north"); });
  std::thread second([&] { send(codec, "gate"); });
  std::thread third([&] { check_bytes(codec); });
  watcher.join();
  first.join();
  second.join();
  third.join();

  assert(codec.bytes_coded() == 10 + 8 + 8);
}
