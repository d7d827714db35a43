// An atomic variable that becomes a plain one, with all its uses.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "mutator.h"

namespace heddle::bench {
namespace {

// `std::atomic<T> name`
struct AtomicDeclaration {
  const SourceText* source = nullptr;
  uint32_t begin = 0;  // `std`
  uint32_t open = 0;   // `<`
  uint32_t close = 0;  // `>`
  uint32_t name = 0;
};

std::optional<AtomicDeclaration> declaration_at(const SourceText& source, uint32_t token) {
  if (token < 2 || source[token] != "atomic" || source[token - 1] != "::" || source[token - 2] != "std" ||
      source[token + 1] != "<")
    return std::nullopt;
  AtomicDeclaration found{.source = &source, .begin = token - 2, .open = token + 1};
  int depth = 0;
  for (uint32_t at = found.open; at < source.size() && source[at] != ";"; ++at) {
    if (source[at] == "<") ++depth;
    if (source[at] == ">") --depth;
    if (source[at] == ">>") return std::nullopt;  // an atomic within something else
    if (depth != 0) continue;
    found.close = at;
    found.name = at + 1;
    const std::string_view next = source[at + 2];
    const bool is_variable = next == "{" || next == "=" || next == ";" || next == "(";
    if (!source.at(found.name).is_identifier() || !is_variable) return std::nullopt;
    return found;
  }
  return std::nullopt;
}

// How many fields and variables have this name.
size_t declarations_of(std::string_view name, const std::vector<SourceText>& sources) {
  size_t count = 0;
  for (const SourceText& source : sources) {
    for (const SourceDeclaration& declared : source.parsed().declarations) {
      if (declared.kind != DeclarationKind::kField && declared.kind != DeclarationKind::kVariable) continue;
      const size_t colons = declared.name.rfind("::");
      const std::string_view plain =
          std::string_view(declared.name).substr(colons == std::string::npos ? 0 : colons + 2);
      count += plain == name;
    }
  }
  return count;
}

// What a member function of an atomic becomes.
class PlainUse {
 public:
  // `name` is followed by `.` and a call.
  PlainUse(const SourceText& source, uint32_t name) : source_(source), name_(name) {}

  // Nothing: there is no plain way to do the same.
  std::optional<Edit> edit() const {
    static const std::map<std::string_view, std::string_view> kOperators{
        {"fetch_add", "+"}, {"fetch_sub", "-"}, {"fetch_or", "|"}, {"fetch_and", "&"}, {"fetch_xor", "^"}};
    const std::string_view operation = source_[name_ + 2];
    const uint32_t open = name_ + 3;
    const uint32_t close = source_.at(open).match;
    if (source_[open] != "(" || close == kNoToken) return std::nullopt;
    const std::string value = first_argument(open, close);
    const uint32_t begin = source_.begin_of_receiver(name_);
    const std::string variable(source_.between(begin, name_));
    if (operation == "load") return source_.replacement(name_ + 1, close, "");
    if (operation == "store") return source_.replacement(name_ + 1, close, " = " + value);
    if (operation == "exchange")
      return source_.replacement(begin, close, fmt::format("std::exchange({}, {})", variable, value));
    const auto known = kOperators.find(operation);
    if (known == kOperators.end()) return std::nullopt;
    if (source_.begins_statement(begin) && source_[close + 1] == ";")
      return source_.replacement(name_ + 1, close, fmt::format(" {}= {}", known->second, value));
    return source_.replacement(
        begin, close, fmt::format("std::exchange({0}, {0} {1} ({2}))", variable, known->second, value));
  }

 private:
  // Without the memory order.
  std::string first_argument(uint32_t open, uint32_t close) const {
    uint32_t end = open + 1;
    while (end < close && source_[end] != ",") {
      const uint32_t match = source_.at(end).match;
      end = match != kNoToken && match > end ? match + 1 : end + 1;
    }
    return std::string(source_.between(open + 1, end - 1));
  }

  const SourceText& source_;
  const uint32_t name_;
};

std::optional<Mutant> made_plain(const AtomicDeclaration& declared, const std::vector<SourceText>& sources) {
  const std::string_view name = (*declared.source)[declared.name];
  Mutant mutant;
  mutant.kind = MutantKind::kAtomicMadePlain;
  mutant.file = declared.source->file();
  mutant.line = declared.source->at(declared.name).line;
  mutant.what = declared.source->between(declared.begin, declared.name);
  std::set<LineRange> functions;
  for (const SourceText& source : sources) {
    std::vector<Edit> edits;
    if (&source == declared.source) {
      edits.push_back(source.replacement(declared.begin, declared.close,
                                         std::string(source.between(declared.open + 1, declared.close - 1))));
    }
    for (uint32_t token = 0; token < source.size(); ++token) {
      if (source[token] != name || !source.at(token).is_identifier()) continue;
      if (const SourceFunction* function = source.function_around(token))
        functions.insert(source.lines_of(*function));
      if (source[token + 1] != "." || source[token + 3] != "(") continue;
      std::optional<Edit> edit = PlainUse(source, token).edit();
      if (!edit) return std::nullopt;
      edits.push_back(std::move(*edit));
    }
    if (!edits.empty()) mutant.texts[source.file()] = edited(source.text(), std::move(edits));
  }
  mutant.functions.assign(functions.begin(), functions.end());
  return mutant;
}

}  // namespace

// Only names that mean one variable: which of several a use means, types would tell.
std::vector<Mutant> make_atomic_mutants(const std::vector<SourceText>& sources) {
  std::vector<Mutant> mutants;
  for (const SourceText& source : sources) {
    for (uint32_t token = 0; token < source.size(); ++token) {
      const std::optional<AtomicDeclaration> declared = declaration_at(source, token);
      if (!declared || source.function_around(token) != nullptr) continue;
      if (declarations_of(source[declared->name], sources) != 1) continue;
      if (std::optional<Mutant> mutant = made_plain(*declared, sources))
        mutants.push_back(std::move(*mutant));
    }
  }
  return mutants;
}

}  // namespace heddle::bench
