#include "kept_random.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::bench {

using nlohmann::json;

std::optional<Grown> read_kept(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  const json told = json::parse(stream, nullptr, /*allow_exceptions=*/false);
  if (!told.is_object()) return std::nullopt;
  Grown grown;
  try {
    for (const json& point : told.at("points"))
      grown.growth.points.push_back({point.at(0).get<double>(), point.at(1).get<uint64_t>()});
    grown.keys = told.at("keys").get<std::vector<uint64_t>>();
    generate::GeneratorStatus& status = grown.growth.status;
    status.tests = told.at("tests").get<uint64_t>();
    status.executions = told.at("executions").get<uint64_t>();
    status.requirements.found = told.at("found").get<uint64_t>();
  } catch (const json::exception&) {
    return std::nullopt;
  }
  grown.growth.status.requirements.covered = grown.keys.size();
  return grown;
}

Expected<void> keep(const std::filesystem::path& file, const Grown& grown) {
  json points = json::array();
  for (const CoveragePoint& point : grown.growth.points) points.push_back({point.seconds, point.covered});
  const json told = {{"points", std::move(points)},
                     {"keys", grown.keys},
                     {"tests", grown.growth.status.tests},
                     {"executions", grown.growth.status.executions},
                     {"found", grown.growth.status.requirements.found}};
  std::ofstream stream(file, std::ios::binary);
  stream << told.dump() << '\n';
  if (!stream.flush()) return usage_error(fmt::format("cannot write {}", file.string()));
  return {};
}

}  // namespace heddle::bench
