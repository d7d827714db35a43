#include "block.h"

#include <algorithm>
#include <bit>

#include "huffman.h"

namespace compress {
namespace {

constexpr int kMinMatch = 4;
constexpr int kMaxMatch = 258;
constexpr int kMaxChain = 24;  // candidates tried per position: the usual trade of speed for size
constexpr int kHashBits = 14;
constexpr uint32_t kNowhere = UINT32_MAX;

// Values are coded as (number of bits, the bits below the leading one), as in the Exp-Golomb code.
constexpr uint32_t kEnd = 256;
constexpr uint32_t kFirstLength = 257;
constexpr uint32_t kLengthBuckets = 9;
constexpr uint32_t kDistanceBuckets = 32;

struct Token {
  uint32_t distance;  // 0: a literal
  uint32_t value;     // the literal, or the length of the match
};

uint32_t bucket_of(uint32_t value) {
  return static_cast<uint32_t>(std::bit_width(value) - 1);
}

uint32_t hash_at(const Bytes& input, size_t at) {
  uint32_t word =
      input[at] | input[at + 1] << 8 | input[at + 2] << 16 | static_cast<uint32_t>(input[at + 3]) << 24;
  return word * 2654435761u >> (32 - kHashBits);
}

uint32_t match_length(const Bytes& input, size_t earlier, size_t at) {
  size_t limit = std::min<size_t>(kMaxMatch, input.size() - at);
  size_t length = 0;
  while (length < limit && input[earlier + length] == input[at + length]) ++length;
  return static_cast<uint32_t>(length);
}

class Matcher {
 public:
  explicit Matcher(const Bytes& input)
      : input_(input), head_(size_t{1} << kHashBits, kNowhere), previous_(input.size(), kNowhere) {}

  Token best_at(size_t at) const {
    Token best{0, input_[at]};
    if (at + kMinMatch > input_.size()) return best;
    uint32_t longest = kMinMatch - 1;
    uint32_t candidate = head_[hash_at(input_, at)];
    for (int tries = 0; candidate != kNowhere && tries < kMaxChain; ++tries) {
      uint32_t length = match_length(input_, candidate, at);
      if (length > longest) {
        longest = length;
        best = {static_cast<uint32_t>(at - candidate), length};
      }
      candidate = previous_[candidate];
    }
    return best;
  }

  void insert(size_t at) {
    if (at + kMinMatch > input_.size()) return;
    uint32_t& head = head_[hash_at(input_, at)];
    previous_[at] = head;
    head = static_cast<uint32_t>(at);
  }

 private:
  const Bytes& input_;
  std::vector<uint32_t> head_;
  std::vector<uint32_t> previous_;
};

std::vector<Token> tokenize(const Bytes& input) {
  std::vector<Token> tokens;
  Matcher matcher(input);
  for (size_t at = 0; at < input.size();) {
    Token token = matcher.best_at(at);
    tokens.push_back(token);
    size_t end = at + (token.distance == 0 ? 1 : token.value);
    for (; at < end; ++at) matcher.insert(at);
  }
  return tokens;
}

void put_lengths(BitWriter& out, const std::vector<uint8_t>& lengths) {
  for (uint8_t length : lengths) out.put(length, 4);
}

std::vector<uint8_t> get_lengths(BitReader& in, size_t count) {
  std::vector<uint8_t> lengths(count);
  for (uint8_t& length : lengths) length = static_cast<uint8_t>(in.get(4));
  return lengths;
}

void put_value(BitWriter& out, uint32_t value) {
  uint32_t bucket = bucket_of(value);
  if (bucket > 0) out.put(value - (1u << bucket), static_cast<int>(bucket));
}

uint32_t get_value(BitReader& in, uint32_t bucket) {
  return (1u << bucket) + (bucket > 0 ? in.get(static_cast<int>(bucket)) : 0);
}

}  // namespace

Bytes compress_block(const Bytes& input) {
  std::vector<Token> tokens = tokenize(input);
  std::vector<uint32_t> symbol_counts(kFirstLength + kLengthBuckets, 0);
  std::vector<uint32_t> distance_counts(kDistanceBuckets, 0);
  for (const Token& token : tokens) {
    if (token.distance == 0) {
      ++symbol_counts[token.value];
    } else {
      ++symbol_counts[kFirstLength + bucket_of(token.value)];
      ++distance_counts[bucket_of(token.distance)];
    }
  }
  ++symbol_counts[kEnd];

  Bytes packed;
  BitWriter out(packed);
  std::vector<uint8_t> symbol_lengths = code_lengths(symbol_counts);
  std::vector<uint8_t> distance_lengths = code_lengths(distance_counts);
  put_lengths(out, symbol_lengths);
  put_lengths(out, distance_lengths);
  Encoder symbols(symbol_lengths);
  Encoder distances(distance_lengths);
  for (const Token& token : tokens) {
    if (token.distance == 0) {
      symbols.put(out, token.value);
      continue;
    }
    symbols.put(out, kFirstLength + bucket_of(token.value));
    put_value(out, token.value);
    distances.put(out, bucket_of(token.distance));
    put_value(out, token.distance);
  }
  symbols.put(out, kEnd);
  out.flush();
  return packed;
}

Bytes decompress_block(const Bytes& packed) {
  BitReader in(packed);
  std::vector<uint8_t> symbol_lengths = get_lengths(in, kFirstLength + kLengthBuckets);
  std::vector<uint8_t> distance_lengths = get_lengths(in, kDistanceBuckets);
  Decoder symbols(symbol_lengths);
  Decoder distances(distance_lengths);
  Bytes output;
  for (;;) {
    uint32_t symbol = symbols.get(in);
    if (symbol == kEnd) return output;
    if (symbol < kEnd) {
      output.push_back(static_cast<uint8_t>(symbol));
      continue;
    }
    uint32_t length = get_value(in, symbol - kFirstLength);
    uint32_t distance = get_value(in, distances.get(in));
    if (distance > output.size()) throw std::runtime_error("compressed block points before its start");
    size_t from = output.size() - distance;
    for (uint32_t i = 0; i < length; ++i) output.push_back(output[from + i]);
  }
}

}  // namespace compress
