#include "generate/read_class.h"

#include <chrono>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "generate/class_model_json.h"
#include "support/process.h"

namespace heddle::generate {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kMostTime{2};  // headers that take longer are not headers of a class

std::string compiler_of(const ClassSources& sources) {
  if (!sources.compiler.empty()) return sources.compiler;
  const char* chosen = std::getenv("HEDDLE_CXX");
  return chosen != nullptr && *chosen != '\0' ? chosen : "g++";
}

// So that the headers mean to Clang what they mean to the compiler: it shall use the same standard library.
std::vector<std::string> library_flags(const ClassSources& sources) {
  const Expected<CapturedProcess> asked =
      capture_process({.argv = {compiler_of(sources), "-print-libgcc-file-name"}});
  if (!asked || !asked->end.ok()) return {};
  std::error_code failed;
  const fs::path folder = fs::path(asked->out.substr(0, asked->out.find('\n'))).parent_path();
  if (!fs::exists(folder / "crtbegin.o", failed)) return {};
  return {"--gcc-install-dir=" + fs::canonical(folder, failed).string()};
}

Expected<nlohmann::json> ask(std::vector<std::string> question, const ClassSources& sources,
                             const fs::path& reader) {
  question.insert(question.begin(), reader.string());
  for (const std::string& header : sources.headers) question.insert(question.end(), {"--header", header});
  question.push_back("--");
  for (std::string& flag : library_flags(sources)) question.push_back(std::move(flag));
  question.insert(question.end(), sources.flags.begin(), sources.flags.end());
  const Expected<CapturedProcess> process = capture_process({.argv = question, .timeout = kMostTime});
  if (!process) return tl::unexpected(process.error());
  const std::string headers = fmt::format("{}", fmt::join(sources.headers, ", "));
  if (!process->end.ok())
    return internal_error(fmt::format("cannot read {}: {} failed ({})", headers, reader.filename().string(),
                                      to_text(process->end)));
  nlohmann::json answer = nlohmann::json::parse(process->out, nullptr, false);
  if (answer.is_discarded() || !answer.is_object())
    return internal_error(
        fmt::format("cannot read {}: {} gave no answer", headers, reader.filename().string()));
  if (answer.contains("error"))
    return usage_error(fmt::format("cannot read {}: {}", headers, answer["error"].get<std::string>()));
  return answer;
}

}  // namespace

Expected<ClassModel> read_class(const std::string& name, const ClassSources& sources,
                                const fs::path& reader) {
  const Expected<nlohmann::json> answer = ask({"--class", name}, sources, reader);
  if (!answer) return tl::unexpected(answer.error());
  return answer->at("class").get<ClassModel>();
}

Expected<std::vector<std::string>> list_classes(const ClassSources& sources, const fs::path& reader) {
  const Expected<nlohmann::json> answer = ask({"--list"}, sources, reader);
  if (!answer) return tl::unexpected(answer.error());
  return answer->at("classes").get<std::vector<std::string>>();
}

}  // namespace heddle::generate
