#include "mutant_store.h"

#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "told.h"
#include "trace/hash.h"

namespace heddle::bench {
namespace {

// This program contains all of heddle that selects.
const std::string& this_heddle() {
  static const std::string kHash = [] {
    std::ifstream self("/proc/self/exe", std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(self), {}};
    return fmt::format("{:016x}", trace::fnv1a(content));
  }();
  return kHash;
}

}  // namespace

std::optional<MutantFigures> read_mutant(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const nlohmann::json told = nlohmann::json::parse(stream, nullptr, /*allow_exceptions=*/false);
  if (!told.is_object()) return std::nullopt;
  std::optional<MutantFigures> figures = mutant_from(told);
  // Whether it compiles does not depend on heddle.
  if (figures && figures->compiles && told.value("heddle", "") != this_heddle()) return std::nullopt;
  return figures;
}

void write_mutant(const MutantFigures& figures, const std::filesystem::path& file) {
  nlohmann::ordered_json told = to_json(figures);
  told["heddle"] = this_heddle();
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  const std::filesystem::path unfinished = file.string() + ".new";
  std::ofstream(unfinished) << told.dump(1) << '\n';
  std::filesystem::rename(unfinished, file, failed);
}

}  // namespace heddle::bench
