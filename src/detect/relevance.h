// Relevance: what an access is to those who look for some findings only, those at certain places, say.
#pragma once

#include <cstdint>
#include <span>

namespace heddle::detect {

enum class Relevance : uint8_t {
  kNone,      // nobody else uses the memory, or nobody writes it
  kOrder,     // it is to no memory that such a finding could be about
  kCompared,  // with accesses that are wanted
  kWanted,    // a finding is to have one of these
};

// By number of the access in the stream. Empty: all are wanted.
using Relevances = std::span<const Relevance>;

inline Relevance relevance_of(Relevances all, uint64_t number) {
  return all.empty() ? Relevance::kWanted : all[number];
}

}  // namespace heddle::detect
