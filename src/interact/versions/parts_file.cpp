#include "interact/versions/parts_file.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "program/read_text.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Expected<void> write_json(const json& value, const fs::path& file) {
  std::ofstream stream(file, std::ios::binary);
  stream << value.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
  stream.close();
  if (!stream) return usage_error(fmt::format("cannot write {}", file.string()));
  return {};
}

json command_of(const ProgramUnit& unit) {
  return {{"directory", unit.call.directory.string()},
          {"file", unit.source.string()},
          {"arguments", unit.call.arguments}};
}

}  // namespace

Expected<void> write_parts(const KeptParts& kept, const fs::path& file) {
  json units = json::array();
  for (const ProgramUnit& unit : kept.parts.units) {
    json entry = command_of(unit);
    entry["object"] = unit.object.string();
    entry["assembler"] = unit.is_assembler;
    units.push_back(std::move(entry));
  }
  return write_json({{"units", std::move(units)},
                     {"link_arguments", kept.parts.link_arguments},
                     {"linker", kept.parts.linker},
                     {"is_cxx", kept.parts.is_cxx},
                     {"plain", kept.plain.string()}},
                    file);
}

std::optional<KeptParts> read_parts(const fs::path& file) {
  try {
    const json value = json::parse(program::read_text(file));
    KeptParts kept;
    kept.plain = value.at("plain").get<std::string>();
    kept.parts.linker = value.at("linker").get<std::string>();
    kept.parts.is_cxx = value.at("is_cxx").get<bool>();
    kept.parts.link_arguments = value.at("link_arguments").get<std::vector<std::string>>();
    for (const json& entry : value.at("units")) {
      ProgramUnit unit;
      unit.call.directory = entry.at("directory").get<std::string>();
      unit.call.arguments = entry.at("arguments").get<std::vector<std::string>>();
      unit.source = entry.at("file").get<std::string>();
      unit.object = entry.at("object").get<std::string>();
      unit.is_assembler = entry.at("assembler").get<bool>();
      kept.parts.units.push_back(std::move(unit));
    }
    return kept;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

Expected<void> write_compile_commands(const std::vector<ProgramUnit>& units, const fs::path& file) {
  json commands = json::array();
  for (const ProgramUnit& unit : units)
    if (!unit.is_assembler) commands.push_back(command_of(unit));
  return write_json(commands, file);
}

}  // namespace heddle::interact
