#include "neutral_changes.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "change/lexer.h"
#include "change/statement_index.h"
#include "source_text.h"

namespace heddle::bench {
namespace {

using Texts = std::map<std::string, std::string>;
using Names = std::set<std::string, std::less<>>;

// Members of the standard library: which of two things such a name means, types would tell.
const Names& library_names() {
  static const Names kNames{
      "append",    "assign",   "at",          "back",          "begin",     "c_str",    "capacity",
      "clear",     "close",    "compare",     "contains",      "count",     "data",     "detach",
      "emplace",   "empty",    "end",         "erase",         "exchange",  "fill",     "find",
      "first",     "flush",    "front",       "get",           "insert",    "join",     "joinable",
      "key",       "length",   "load",        "lock",          "main",      "max",      "min",
      "move",      "name",     "notify_all",  "notify_one",    "open",      "pop",      "pop_back",
      "pop_front", "push",     "push_back",   "push_front",    "read",      "release",  "replace",
      "reserve",   "reset",    "resize",      "second",        "size",      "sort",     "start",
      "stop",      "store",    "str",         "substr",        "swap",      "test",     "top",
      "tie",       "type",     "unlock",      "value",         "wait",      "wait_for", "what",
      "write",     "hash",     "operator",    "set",           "flip",      "any",      "all",
      "none",      "merge",    "extract",     "rbegin",        "rend",      "cbegin",   "cend",
      "update",    "try_lock", "lock_shared", "unlock_shared", "to_string", "SetUp",    "TearDown"};
  return kNames;
}

std::string plain(std::string_view qualified) {
  const std::string name = split_qualified(qualified).second;
  return name.substr(0, name.find('('));
}

std::string scope(std::string_view qualified) {
  return split_qualified(qualified).first;
}

// "TEST_P": a macro, which is not the project's to rename, nor are its arguments.
bool is_macro(std::string_view name) {
  return std::ranges::none_of(name, [](unsigned char c) { return std::islower(c) != 0; });
}

// All sources with what they declare.
class Project {
 public:
  explicit Project(const Texts& texts) {
    for (const auto& [file, text] : texts) sources_.emplace_back(file, text);
    for (const SourceText& source : sources_) {
      for (const SourceDeclaration& declared : source.parsed().declarations) {
        const std::string name = plain(declared.name);
        if (declared.kind == DeclarationKind::kField) {
          fields_.insert(name);
          classes_.insert(scope(declared.name));
        } else if (declared.kind == DeclarationKind::kFunction) {
          functions_.insert(name);
        } else {
          others_.insert(name);
          if (declared.kind == DeclarationKind::kClass) classes_.insert(declared.name);
        }
      }
      for (const SourceFunction& function : source.parsed().functions) {
        functions_.insert(plain(function.name));
        if (is_macro(plain(function.name)))
          for (const Token& token : tokenize(function.name)) others_.insert(std::string(token.text));
        for (const SourceLocal& local : function.locals) locals_.insert(local.name);
      }
      for (const SourceMacro& macro : source.parsed().macros)
        for (const Token& token : tokenize(macro.text)) others_.insert(std::string(token.text));
      // What the library calls so as well.
      for (uint32_t token = 2; token < source.size(); ++token)
        if (source[token - 1] == "::" && source[token - 2] == "std")
          others_.insert(std::string(source[token]));
    }
  }

  Texts apply(NeutralKind kind) const {
    Texts changed;
    for (const SourceText& source : sources_) {
      std::string text = edited(source.text(), edits(kind, source));
      if (kind == NeutralKind::kAllocations && text != source.text()) text = "#include <new>\n" + text;
      if (text != source.text()) changed.emplace(source.file(), std::move(text));
    }
    return changed;
  }

 private:
  std::vector<Edit> edits(NeutralKind kind, const SourceText& source) const {
    switch (kind) {
      case NeutralKind::kLocalsRenamed:
        return rename_locals(source);
      case NeutralKind::kFieldsRenamed:
        return rename(source, only(fields_, functions_, locals_));
      case NeutralKind::kFunctionsRenamed:
        return rename(source, only(functions_, fields_, locals_));
      case NeutralKind::kComments:
        return add_comments(source);
      case NeutralKind::kFunctionsMoved:
        return move_functions(source);
      case NeutralKind::kReformatted:
        return reformat(source);
      case NeutralKind::kMemberAdded:
        return add_members(source);
      case NeutralKind::kAllocations:
        return add_allocations(source);
    }
    return {};
  }

  // Those of `names` that mean nothing else.
  Names only(const Names& names, const Names& not_of, const Names& nor_of) const {
    Names result;
    for (const std::string& name : names) {
      const bool is_name = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0);
      if (is_name && !not_of.contains(name) && !nor_of.contains(name) && !others_.contains(name) &&
          !library_names().contains(name))
        result.insert(name);
    }
    return result;
  }

  static std::string renamed(std::string_view name) {
    if (name.ends_with("_")) return fmt::format("{}renamed_", name);
    return fmt::format("{}_renamed", name);
  }

  static std::vector<Edit> rename(const SourceText& source, const Names& names) {
    std::vector<Edit> edits;
    for (uint32_t token = 0; token < source.size(); ++token)
      if (source.at(token).is_identifier() && names.contains(source[token]))
        edits.push_back(source.replacement(token, token, renamed(source[token])));
    return edits;
  }

  std::vector<Edit> rename_locals(const SourceText& source) const {
    std::vector<Edit> edits;
    for (uint32_t token = 0; token < source.size(); ++token) {
      const std::string_view name = source[token];
      if (!source.at(token).is_identifier()) continue;
      if (token > 0 && (source[token - 1] == "." || source[token - 1] == "->" || source[token - 1] == "::"))
        continue;
      if (source[token + 1] == "::") continue;
      const SourceFunction* function = source.function_around(token);
      if (function == nullptr ||
          std::ranges::find(function->locals, name, &SourceLocal::name) == function->locals.end())
        continue;
      if (fields_.contains(name) || functions_.contains(name) || others_.contains(name)) continue;
      edits.push_back(source.replacement(token, token, renamed(name)));
    }
    return edits;
  }

  static std::vector<Edit> add_comments(const SourceText& source) {
    std::vector<Edit> edits{{0, 0, "// Says nothing\n// in two lines.\n"}};
    for (uint32_t token = 1; token < source.size(); ++token) {
      const bool is_in_function = source.function_around(token) != nullptr;
      if (!is_in_function || !source.begins_statement(token) || source[token] == "}") continue;
      const size_t begin = source.begin_of(token);
      edits.push_back({begin, begin, token % 2 == 0 ? "/* a remark */ " : "// Another one.\n    "});
    }
    return edits;
  }

  bool is_member(const SourceFunction& function) const {
    const std::string around = scope(function.name);
    return !around.empty() && std::ranges::any_of(classes_, [&](const std::string& name) {
      return name == around || (name.size() > around.size() && name.ends_with(fmt::format("::{}", around))) ||
             around.ends_with(fmt::format("::{}", name));
    });
  }

  // Members of classes can be defined in any order, as long as no result is to be found out.
  std::vector<Edit> move_functions(const SourceText& source) const {
    std::vector<Edit> edits;
    std::vector<std::pair<size_t, size_t>> group;
    const auto finish = [&] {
      for (size_t i = 0; i < group.size(); ++i) {
        const auto& [begin, end] = group[i];
        const auto& [from, to] = group[group.size() - 1 - i];
        if (begin != from) edits.push_back({begin, end, std::string(source.text().substr(from, to - from))});
      }
      group.clear();
    };
    uint32_t last = kNoToken;  // of the function before
    for (uint32_t token = 0; token < source.size(); ++token) {
      const SourceFunction* function = source.function_around(token);
      if (function == nullptr) continue;
      uint32_t end = token;
      while (end + 1 < source.size() && source.function_around(end + 1) == function) ++end;
      const bool can_move = is_member(*function) && function->result.find("auto") == std::string::npos &&
                            function->result.find("template") == std::string::npos;
      if (last == kNoToken || token != last + 1 || !can_move) finish();
      if (can_move) group.emplace_back(source.begin_of(token), source.end_of(end));
      last = end;
      token = end;
    }
    finish();
    return edits;
  }

  static std::vector<Edit> reformat(const SourceText& source) {
    static const std::set<std::string_view> kEndsLine{",", ";", "{", "}", "("};
    std::vector<Edit> edits;
    for (uint32_t token = 0; token + 1 < source.size(); ++token) {
      if (source.at(token).kind == TokenKind::kPragma || source.at(token + 1).kind == TokenKind::kPragma)
        continue;
      const size_t begin = source.end_of(token);
      const size_t end = source.begin_of(token + 1);
      if (end < begin) continue;
      const std::string_view gap = source.text().substr(begin, end - begin);
      if (gap.find_first_not_of(" \t\n") != std::string_view::npos) continue;
      if (kEndsLine.contains(source[token]) && source.at(token).kind == TokenKind::kPunctuator) {
        edits.push_back({begin, end, "\n   "});
      } else if (!gap.empty()) {
        edits.push_back({begin, end, " "});
      }
    }
    return edits;
  }

  // To classes whose fields are all private: a value's new member would be copied with the others, which
  // is something new to do.
  static std::vector<Edit> add_members(const SourceText& source) {
    std::map<std::string, std::vector<const SourceDeclaration*>> fields;
    for (const SourceDeclaration& declared : source.parsed().declarations)
      if (declared.kind == DeclarationKind::kField) fields[scope(declared.name)].push_back(&declared);
    std::vector<Edit> edits;
    for (const auto& [of, all] : fields) {
      if (!std::ranges::all_of(all,
                               [](const SourceDeclaration* field) { return field->name.ends_with("_"); }))
        continue;
      const SourceRange& first = all.front()->range;
      const uint32_t token = token_at(source, first.first_line, first.first_column);
      if (token == kNoToken || !(source.begins_statement(token) || source[token - 1] == ":")) continue;
      // A class that says how it begins may have constants, which must begin with a value then.
      const char* const member =
          has_default_constructor(source, plain_class(of))
              ? "struct Unrelated { Unrelated() {} long value; } unrelated_member_;\n  "
              : "long unrelated_member_;\n  ";
      edits.push_back({source.begin_of(token), source.begin_of(token), member});
    }
    return edits;
  }

  static std::string plain_class(std::string_view name) { return split_qualified(name).second; }

  static bool has_default_constructor(const SourceText& source, std::string_view name) {
    for (uint32_t token = 0; token + 4 < source.size(); ++token)
      if (source[token] == name && source[token + 1] == "(" && source[token + 2] == ")" &&
          source[token + 3] == "=" && source[token + 4] == "default")
        return true;
    return false;
  }

  static uint32_t token_at(const SourceText& source, uint32_t line, uint32_t column) {
    for (uint32_t token = 0; token < source.size(); ++token)
      if (source.at(token).line == line && source.at(token).column == column) return token;
    return kNoToken;
  }

  // Whether nothing in its file calls it. Within a function that is inlined elsewhere, the compiler would
  // read memory again that it has read before what is put in: accesses that were not there.
  static bool stands_alone(const SourceText& source, const SourceFunction& function) {
    const std::string name = plain(function.name);
    if (is_macro(name)) return true;
    size_t times = 0;
    for (uint32_t token = 0; token < source.size(); ++token) times += source[token] == name ? 1 : 0;
    return times == 1;
  }

  static std::vector<Edit> add_allocations(const SourceText& source) {
    std::vector<Edit> edits;
    if (!source.file().ends_with(".cpp")) return edits;
    const SourceFunction* seen = nullptr;
    for (uint32_t token = 1; token < source.size(); ++token) {
      const SourceFunction* function = source.function_around(token);
      if (function == nullptr || function == seen) continue;
      // The body is what ends where the function ends.
      if (source[token] != "{" || source.at(token).match == kNoToken) continue;
      if (source.function_around(source.at(token).match + 1) == function) continue;
      seen = function;
      if (function->result.find("constexpr") != std::string::npos || !stands_alone(source, *function))
        continue;
      const size_t begin = source.end_of(token);
      edits.push_back({begin, begin,
                       plain(function->name) == "main"
                           ? "\n  void* const unrelated_memory = ::operator new(200);\n"
                             "  static_cast<void>(unrelated_memory);"
                           : "\n  ::operator delete(::operator new(24));"});
    }
    return edits;
  }

  std::vector<SourceText> sources_;
  Names fields_;
  Names functions_;
  Names locals_;
  Names others_;
  Names classes_;
};

}  // namespace

const char* to_text(NeutralKind kind) {
  switch (kind) {
    case NeutralKind::kLocalsRenamed:
      return "locals renamed";
    case NeutralKind::kFieldsRenamed:
      return "fields renamed";
    case NeutralKind::kFunctionsRenamed:
      return "functions renamed";
    case NeutralKind::kComments:
      return "comments";
    case NeutralKind::kFunctionsMoved:
      return "functions moved";
    case NeutralKind::kReformatted:
      return "reformatted";
    case NeutralKind::kMemberAdded:
      return "member added";
    case NeutralKind::kAllocations:
      return "allocations";
  }
  return "";
}

Texts make_neutral(NeutralKind kind, const Texts& sources) {
  return Project(sources).apply(kind);
}

}  // namespace heddle::bench
