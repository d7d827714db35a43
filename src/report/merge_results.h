// Results of shards, put together: what one command would have written that had done all of it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/error.h"

namespace heddle {

// Each is what `--json` of one command has written; `names` are those of the files, for errors. Findings are
// told once, with all the tests that show them; one that some shard's base has is known. Counts are added up,
// lists joined, and the whole is complete if each part is.
Expected<nlohmann::ordered_json> merge_results(const std::vector<nlohmann::ordered_json>& results,
                                               const std::vector<std::string>& names);

// How many findings of a result are of this status, and more than a suspicion.
size_t count_findings(const nlohmann::ordered_json& result, const std::string& status);

}  // namespace heddle
