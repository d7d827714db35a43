#include <filesystem>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/DebugInfo/DIContext.h>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Object/BuildID.h>
#include <llvm/Object/ObjectFile.h>

#include "symbolize/dwarf_file.h"
#include "symbolize/frame_variables.h"
#include "symbolize/function_name.h"
#include "symbolize/symbolizer.h"
#include "symbolize/unit_names.h"
#include "symbolize/variable_part.h"

namespace heddle {
namespace {

using llvm::symbolize::LLVMSymbolizer;

LLVMSymbolizer::Options symbolizer_options() {
  LLVMSymbolizer::Options options;
  options.Demangle = false;  // function_name.h needs the linkage names
  return options;
}

std::string known(const std::string& text) {
  return text == llvm::DILineInfo::BadString ? std::string() : text;
}

// "/src/app/../lib/queue.h" → "/src/lib/queue.h": debug information repeats the way the compiler found a
// file.
std::string clean_path(const std::string& path) {
  return path.empty() ? path : std::filesystem::path(path).lexically_normal().string();
}

Frame to_frame(const llvm::DILineInfo& info) {
  std::string linkage_name = known(info.FunctionName);
  return Frame{.function = short_function_name(linkage_name),
               .signature = full_function_name(linkage_name),
               .file = info.Line == 0 ? std::string() : clean_path(known(info.FileName)),
               .line = info.Line,
               .column = info.Column};
}

// Why positions recorded in `module` cannot be looked up in the file of that name now; empty if they can.
std::string find_problem(const ModuleName& module) {
  auto binary = llvm::object::ObjectFile::createObjectFile(module.path);
  if (!binary) {
    return fmt::format("{} cannot be read ({}): its functions and lines are not named", module.path,
                       llvm::toString(binary.takeError()));
  }
  std::string found = llvm::toHex(llvm::object::getBuildID(binary->getBinary()), /*LowerCase=*/true);
  if (module.build_id.empty() || found == module.build_id) return {};
  return fmt::format(
      "{} has been rebuilt since (build-id {}, recorded {}): its functions and lines are not named",
      module.path, found.empty() ? "none" : found, module.build_id);
}

// One file and everything asked about it so far.
struct CachedModule {
  explicit CachedModule(const ModuleName& module)
      : problem(find_problem(module)), dwarf(module.path), names(dwarf), frames(dwarf) {}

  std::string problem;
  std::unordered_map<uint64_t, std::vector<Frame>> code;
  std::unordered_map<uint64_t, std::optional<Variable>> data;
  DwarfFile dwarf;
  UnitNames names;
  FrameVariables frames;
};

class LlvmSymbolizer final : public Symbolizer {
 public:
  LlvmSymbolizer() : symbolizer_(symbolizer_options()) {}

  const std::vector<Frame>& code(const ModuleName& module, uint64_t offset) override {
    CachedModule& cached = cached_module(module);
    auto [entry, is_new] = cached.code.try_emplace(offset);
    if (is_new) entry->second = find_code(module, cached, offset);
    return entry->second;
  }

  std::optional<Variable> data(const ModuleName& module, uint64_t offset) override {
    CachedModule& cached = cached_module(module);
    auto [entry, is_new] = cached.data.try_emplace(offset);
    if (is_new && cached.problem.empty()) entry->second = find_data(module, cached, offset);
    return entry->second;
  }

  std::optional<Variable> variable(const ModuleName& module, uint64_t offset) override {
    return cached_module(module).problem.empty() ? find_variable(module, offset) : std::nullopt;
  }

  const std::vector<NamedPart>& names_at(const ModuleName& module, uint64_t offset) override {
    static const std::vector<NamedPart> kNone;
    CachedModule& cached = cached_module(module);
    return cached.problem.empty() ? cached.names.at(offset) : kNone;
  }

  const std::vector<FramePart>& frame_at(const ModuleName& module, uint64_t offset) override {
    static const std::vector<FramePart> kNone;
    CachedModule& cached = cached_module(module);
    return cached.problem.empty() ? cached.frames.at(offset) : kNone;
  }

  std::string problem(const ModuleName& module) override { return cached_module(module).problem; }

 private:
  CachedModule& cached_module(const ModuleName& module) {
    std::pair key(module.path, module.build_id);
    auto entry = modules_.find(key);
    if (entry == modules_.end()) entry = modules_.try_emplace(std::move(key), module).first;
    return entry->second;
  }

  std::vector<Frame> find_code(const ModuleName& module, const CachedModule& cached, uint64_t offset) {
    std::vector<Frame> frames;
    if (cached.problem.empty()) {
      auto info = symbolizer_.symbolizeInlinedCode(module.path, {offset});
      if (info) {
        for (uint32_t i = 0; i < info->getNumberOfFrames(); ++i)
          frames.push_back(to_frame(info->getFrame(i)));
      } else {
        llvm::consumeError(info.takeError());
      }
    }
    if (frames.empty()) frames.emplace_back();
    for (Frame& frame : frames) {
      if (frame.function.empty()) frame.function = frame.signature = module_offset_text(module.path, offset);
    }
    return frames;
  }

  std::optional<Variable> find_variable(const ModuleName& module, uint64_t offset) {
    auto global = symbolizer_.symbolizeData(module.path, {offset});
    if (!global) {
      llvm::consumeError(global.takeError());
      return std::nullopt;
    }
    std::string name = known(global->Name);
    if (name.empty() || offset < global->Start) return std::nullopt;
    return Variable{full_function_name(name), offset - global->Start, global->Size};
  }

  std::optional<Variable> find_data(const ModuleName& module, CachedModule& cached, uint64_t offset) {
    std::optional<Variable> variable = find_variable(module, offset);
    if (!variable) return std::nullopt;
    if (auto part = find_variable_part(cached.dwarf, offset, variable->offset); part && !part->path.empty()) {
      variable = {variable->name + part->path, part->offset, part->size};
    }
    return variable;
  }

  LLVMSymbolizer symbolizer_;
  std::map<std::pair<std::string, std::string>, CachedModule> modules_;
};

}  // namespace

std::unique_ptr<Symbolizer> make_symbolizer() {
  return std::make_unique<LlvmSymbolizer>();
}

std::string module_offset_text(std::string_view module_path, uint64_t offset) {
  if (module_path.empty()) return fmt::format("{:#x}", offset);
  return fmt::format("{}+{:#x}", module_path.substr(module_path.rfind('/') + 1), offset);
}

}  // namespace heddle
