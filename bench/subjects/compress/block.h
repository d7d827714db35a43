// One block: LZ77 over a hash-chained window, then Huffman codes for literals, match lengths and distances.
#pragma once

#include "bits.h"

namespace compress {

Bytes compress_block(const Bytes& input);
Bytes decompress_block(const Bytes& packed);

}  // namespace compress
