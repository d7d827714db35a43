#include "generate/driver_link.h"

#include <set>
#include <sstream>

#include <fmt/format.h>

#include "support/process.h"

namespace heddle::generate {
namespace fs = std::filesystem;
namespace {

// A project can be large, and a class that needs so much of it is not tested alone.
constexpr size_t kMostFurtherSources = 200;
constexpr size_t kMostSymbolsShown = 5;
constexpr size_t kMostWordsOfLinker = 4000;

std::set<std::string> missing_symbols(const std::string& words) {
  constexpr std::string_view kBefore[] = {"undefined reference to ", "undefined symbol: "};
  std::set<std::string> missing;
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) {
    for (const std::string_view before : kBefore) {
      const size_t at = line.find(before);
      if (at != std::string::npos) missing.insert(line.substr(at + before.size()));
    }
  }
  return missing;
}

Expected<BuildEnd> link_with(const DriverParts& parts, const fs::path& archive) {
  BuildStep linking{parts.program, parts.linker};
  const auto add = [&](const std::vector<std::string>& words) {
    linking.command.insert(linking.command.end(), words.begin(), words.end());
  };
  add({"-w", "-g"});
  add(parts.flags);
  for (const fs::path& object : parts.objects) add({object.string()});
  add(parts.libraries);
  // Before the archive: some of it may have a main() of its own.
  add({parts.harness.string()});
  if (!archive.empty()) add({archive.string()});
  add({"-pthread", "-Wl,--dependency-file=" + linking.dependency_file().string(), "-o",
       parts.program.string()});
  const Expected<std::vector<BuildEnd>> ends = execute_steps({linking});
  if (!ends) return tl::unexpected(ends.error());
  return ends->front();
}

// Of those that compile: not all of a project need have to do with the class.
Expected<fs::path> archive_further(const DriverParts& parts) {
  if (parts.step) parts.step("compiling further sources of the project");
  std::vector<BuildStep> steps = parts.further;
  if (steps.size() > kMostFurtherSources) steps.resize(kMostFurtherSources);
  const Expected<std::vector<BuildEnd>> ends = execute_steps(steps);
  if (!ends) return tl::unexpected(ends.error());
  const fs::path archive = parts.program.string() + "_further.a";
  std::error_code failed;
  fs::remove(archive, failed);
  ProcessRequest packing;
  packing.argv = {"ar", "rcs", archive.string()};
  for (size_t i = 0; i < steps.size(); ++i)
    if ((*ends)[i].ok) packing.argv.push_back(steps[i].output.string());
  const Expected<CommandEnd> packed = run_process(packing);
  if (!packed) return tl::unexpected(packed.error());
  if (!packed->ok())
    return internal_error(fmt::format("cannot make {}: {}", archive.string(), to_text(*packed)));
  return archive;
}

std::string link_error(const DriverParts& parts, const std::string& words) {
  const std::set<std::string> missing = missing_symbols(words);
  if (missing.empty())
    return fmt::format("the driver of {} cannot be linked:\n{}", parts.of_class,
                       words.substr(0, kMostWordsOfLinker));
  std::string list;
  size_t count = 0;
  for (const std::string& symbol : missing) {
    if (++count > kMostSymbolsShown) break;
    list += "\n  " + symbol;
  }
  if (missing.size() > kMostSymbolsShown)
    list += fmt::format("\n  and {} more", missing.size() - kMostSymbolsShown);
  return fmt::format(
      "the driver of {} cannot be linked: nothing defines{}\nName the sources that do with --source, "
      "or a library with --lib.",
      parts.of_class, list);
}

}  // namespace

Expected<fs::path> link_driver(const DriverParts& parts) {
  Expected<BuildEnd> end = link_with(parts, {});
  if (!end) return tl::unexpected(end.error());
  fs::path archive;
  if (!end->ok && !parts.further.empty() && !missing_symbols(end->words).empty()) {
    const Expected<fs::path> archived = archive_further(parts);
    if (!archived) return tl::unexpected(archived.error());
    archive = *archived;
    end = link_with(parts, archive);
    if (!end) return tl::unexpected(end.error());
  }
  if (!end->ok) return usage_error(link_error(parts, end->words));
  return archive;
}

}  // namespace heddle::generate
