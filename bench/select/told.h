// Figures as JSON.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "common/bar.h"
#include "figures.h"
#include "mutants.h"

namespace heddle::bench {

nlohmann::ordered_json to_json(const ChangeFigures& figures);
nlohmann::ordered_json to_json(const MutantFigures& figures);
nlohmann::ordered_json to_json(const std::vector<Bar>& bars);
// Of what to_json() has made; nothing if something is missing.
std::optional<MutantFigures> mutant_from(const nlohmann::json& told);

}  // namespace heddle::bench
