#include "execute/seeds.h"

#include <charconv>

#include <fmt/format.h>

namespace heddle {
namespace {

bool parse_number(std::string_view text, uint64_t& number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

}  // namespace

Expected<SeedRange> parse_seeds(std::string_view text) {
  const size_t dash = text.find('-');
  SeedRange seeds;
  if (dash == text.npos || !parse_number(text.substr(0, dash), seeds.first) ||
      !parse_number(text.substr(dash + 1), seeds.last) || seeds.first > seeds.last) {
    return usage_error(
        fmt::format("'{}' is no range of seeds: write FIRST-LAST, two whole numbers, such as 1-1000", text));
  }
  return seeds;
}

Expected<uint64_t> run_seeds(ForkServer& server, ExecutionRequest request, const SeedRange& seeds,
                             const std::function<bool(const ExecutionRequest&, const Execution&)>& visit) {
  uint64_t executions = 0;
  for (uint64_t seed = seeds.first;; ++seed) {
    request.policy.seed = seed;
    const Expected<Execution> execution = server.run(request);
    if (!execution) return tl::unexpected(execution.error());
    ++executions;
    if (!visit(request, *execution) || seed == seeds.last) return executions;
  }
}

}  // namespace heddle
