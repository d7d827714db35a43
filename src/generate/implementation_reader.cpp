#include "generate/implementation_reader.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "generate/read_class.h"

namespace heddle::generate {
namespace {

namespace fs = std::filesystem;

constexpr int kMostReadings = 2;  // each takes as long as the class's own

bool is_part_of_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// "ns::Cache::Impl": "Impl".
std::string_view last_part(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

// "Impl {", "Impl final : Base {": a place where a class of that name may be defined.
bool seems_to_define(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if (at == 0 || is_part_of_name(text[at - 1]) || end == text.size() || is_part_of_name(text[end]))
      continue;
    const size_t stop = text.find_first_of(";{()=*&", end);
    const size_t line = text.rfind('\n', at) + 1;
    const std::string_view before = text.substr(line, at - line);
    const bool is_class =
        before.find("struct ") != std::string_view::npos || before.find("class ") != std::string_view::npos;
    if (is_class && stop != std::string_view::npos && text[stop] == '{') return true;
  }
  return false;
}

bool may_define_hidden(const ClassModel& model, const fs::path& source) {
  if (source.extension() == ".c") return false;
  std::ostringstream text;
  text << std::ifstream(source, std::ios::binary).rdbuf();
  const std::string all = text.str();
  return std::any_of(model.hidden.begin(), model.hidden.end(),
                     [&](const std::string& name) { return seems_to_define(all, last_part(name)); });
}

}  // namespace

Implementation find_implementation(const ClassModel& model, const ClassSources& sources,
                                   const fs::path& reader) {
  int readings = 0;
  for (const std::string& source : sources.sources) {
    if (readings == kMostReadings) break;
    if (!may_define_hidden(model, source)) continue;
    ++readings;
    std::error_code failed;
    const std::string file = fs::absolute(source, failed).string();
    ClassSources with_source = sources;
    with_source.headers.push_back(file);
    Expected<ClassModel> read = read_class(model.spelled, with_source, reader);
    if (read && read->inner.size() > model.inner.size()) return {file, std::move(read->inner)};
  }
  return {};
}

}  // namespace heddle::generate
