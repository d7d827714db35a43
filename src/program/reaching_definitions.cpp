#include "program/reaching_definitions.h"

#include <algorithm>
#include <deque>
#include <map>

#include "program/flow_graph.h"

namespace heddle::program {
namespace {

using Bits = std::vector<uint64_t>;

void set(Bits& bits, uint32_t i) {
  bits[i / 64] |= uint64_t{1} << (i % 64);
}
void clear(Bits& bits, uint32_t i) {
  bits[i / 64] &= ~(uint64_t{1} << (i % 64));
}
bool test(const Bits& bits, uint32_t i) {
  return bits[i / 64] >> (i % 64) & 1;
}

}  // namespace

std::vector<std::pair<uint32_t, uint32_t>> reaching_definitions(const Function& function,
                                                                const std::vector<LocalAccess>& accesses) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  std::vector<const LocalAccess*> definitions;
  std::map<uint32_t, std::vector<uint32_t>> by_local;
  std::vector<std::vector<std::pair<const LocalAccess*, uint32_t>>> in_block(function.blocks.size());
  for (const LocalAccess& access : accesses) {
    uint32_t definition = kNone;
    if (access.writes) {
      definition = static_cast<uint32_t>(definitions.size());
      definitions.push_back(&access);
      by_local[access.local].push_back(definition);
    }
    in_block[access.block].push_back({&access, definition});
  }
  if (definitions.empty()) return pairs;
  auto write = [&](Bits& live, const LocalAccess& access, uint32_t definition) {
    if (access.is_exact) {
      for (uint32_t other : by_local[access.local]) {
        if (access.bytes.contains(definitions[other]->bytes)) clear(live, other);
      }
    }
    set(live, definition);
  };

  const size_t words = definitions.size() / 64 + 1;
  const FlowGraph graph(function, FlowGraph::Edges::kAll);
  std::vector<Bits> live_in(graph.size(), Bits(words));
  std::vector<bool> is_queued(graph.size(), true);
  std::deque<uint32_t> queue;
  for (uint32_t block : graph.reverse_postorder()) queue.push_back(block);
  while (!queue.empty()) {
    const uint32_t block = queue.front();
    queue.pop_front();
    is_queued[block] = false;
    Bits live = live_in[block];
    Bits any = live;  // a landing pad may be reached before or after the block's last writes
    for (const auto& [access, definition] : in_block[block]) {
      if (definition == kNone) continue;
      write(live, *access, definition);
      for (size_t w = 0; w < words; ++w) any[w] |= live[w];
    }
    for (const Edge& edge : function.blocks[block].edges) {
      const Bits& out = edge.exceptional ? any : live;
      bool changed = false;
      for (size_t w = 0; w < words; ++w) {
        changed |= (out[w] & ~live_in[edge.to][w]) != 0;
        live_in[edge.to][w] |= out[w];
      }
      if (changed && !is_queued[edge.to]) {
        is_queued[edge.to] = true;
        queue.push_back(edge.to);
      }
    }
  }
  for (uint32_t block = 0; block < graph.size(); ++block) {
    Bits live = std::move(live_in[block]);
    for (const auto& [access, definition] : in_block[block]) {
      if (access->reads) {
        for (uint32_t other : by_local[access->local]) {
          if (test(live, other) && definitions[other]->bytes.overlaps(access->bytes)) {
            pairs.push_back({definitions[other]->vertex, access->vertex});
          }
        }
      }
      if (definition != kNone) write(live, *access, definition);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace heddle::program
