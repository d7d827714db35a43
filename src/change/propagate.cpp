#include "change/propagate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "change/file_scope.h"
#include "change/lexer.h"

namespace heddle {

namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)::";

// Names without anonymous namespaces: they are used without.
std::string visible_name(std::string name) {
  for (size_t at = name.find(kAnonymous); at != std::string::npos; at = name.find(kAnonymous)) {
    name.erase(at, kAnonymous.size());
  }
  return name;
}

std::string before_parenthesis(const std::string& name) {
  return name.substr(0, name.find('('));
}

// A declared name or macro whose users are affected.
struct Target {
  std::optional<DeclarationKind> kind;  // none: a macro
  std::string name;                     // qualified, as it is used
  std::string scope;
  ChangeReason reason;
  std::string because;
  std::string file;  // that alone can use it; empty: all
};

// Macros by where they hold (macro_scope) and name. A name may be defined in several files or branches.
using MacroKey = std::pair<std::string, std::string>;
using Macros = std::map<MacroKey, std::multiset<std::string>>;

// `renamed`: new paths of files that had another one; `new_names`: of what macros mention.
Macros macros_of(const std::vector<SourceFile>& files, const std::map<std::string, std::string>& renamed,
                 const NewNames& new_names = {}) {
  const std::set<std::string> included = included_names(files);
  Macros macros;
  for (const SourceFile& file : files) {
    std::string scope = macro_scope(file.path, included);
    if (const auto now = renamed.find(scope); now != renamed.end()) scope = now->second;
    for (const SourceMacro& macro : file.macros) {
      const std::string text = with_names(macro.text, new_names);
      macros[{scope, macro.name}].insert(macro.defined_if.empty() ? text : text + " if " + macro.defined_if);
    }
  }
  return macros;
}

bool mentions(const std::string& text, const std::string& word) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const auto inside = [&](size_t i) {
      return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
    };
    if (!(at > 0 && inside(at - 1)) && !inside(at + word.size())) return true;
  }
  return false;
}

// " was `a`, is `b`": long texts are cut, from a little before where they differ.
std::string difference(const std::string& before, const std::string& after) {
  constexpr size_t kLongest = 80;
  const auto differ = std::ranges::mismatch(before, after);
  const auto common = static_cast<size_t>(differ.in1 - before.begin());
  const size_t from =
      std::max(before.size(), after.size()) <= kLongest || common < kLongest / 2 ? 0 : common - 20;
  const auto shown = [&](const std::string& text) {
    std::string part = text.substr(std::min(from, text.size()), kLongest);
    if (from + part.size() < text.size()) part += "...";
    return "`" + std::string(from > 0 ? "..." : "") + part + "`";
  };
  return " was " + shown(before) + ", is " + shown(after);
}

// The first that the other has not.
std::string only_in(const std::multiset<std::string>& texts, const std::multiset<std::string>& others) {
  for (const std::string& text : texts) {
    if (texts.count(text) > others.count(text)) return text;
  }
  return "";
}

class Propagator {
 public:
  Propagator(const StatementMap::Files& files, const DeclarationMatch& declarations,
             const StatementIndex& after, WordTable& words)
      : files_(files), declarations_(declarations), after_(after), words_(words) {}

  std::vector<AffectedStatement> run() {
    collect_names();
    collect_macros();
    collect_declarations();
    follow_types();
    std::vector<AffectedStatement> result;
    if (targets_.empty()) return result;
    for (uint32_t f = 0; f < after_.functions.size(); ++f) {
      for (uint32_t s = 0; s < after_.functions[f].statements.size(); ++s) find_use(f, s, result);
    }
    return result;
  }

 private:
  void add(Target target) {
    const std::string plain = split_qualified(target.name).second;
    targets_[words_.number(plain)].push_back(std::move(target));
  }

  // Everything that is declared, to see which of several names a use means.
  void collect_names() {
    for (const SourceFile& file : files_.head) {
      for (const SourceDeclaration& declaration : file.declarations) {
        const std::string name =
            visible_name(declaration.kind == DeclarationKind::kFunction ? before_parenthesis(declaration.name)
                                                                        : declaration.name);
        types_.emplace(name, &declaration);
        const auto [scope, plain] = split_qualified(name);
        if (declaration.kind == DeclarationKind::kField) owners_[plain].insert(split_qualified(scope).second);
      }
    }
  }

  void collect_macros() {
    const Macros before = macros_of(files_.base, files_.renamed,
                                    {declarations_.new_words.begin(), declarations_.new_words.end()});
    const Macros after = macros_of(files_.head, {});
    std::map<MacroKey, std::string> changed;  // → because
    for (const auto& [key, texts] : after) {
      const auto found = before.find(key);
      if (found == before.end()) {
        changed[key] = "macro " + key.second + " is new";
      } else if (found->second != texts) {
        changed[key] =
            "macro " + key.second + difference(only_in(found->second, texts), only_in(texts, found->second));
      }
    }
    for (const auto& [key, texts] : before) {
      if (!after.contains(key)) changed[key] = "macro " + key.second + " is gone";
    }
    follow_macros(after, changed);
    for (const auto& [key, because] : changed) {  // what holds everywhere comes first
      const auto& [file, name] = key;
      add({std::nullopt, name, "", ChangeReason::kMacro, because, file});
      changed_words_.emplace(name, ChangedWord{ChangeReason::kMacro, because, file});
    }
  }

  // Macros that use changed ones, until nothing is added: each is followed once.
  static void follow_macros(const Macros& macros, std::map<MacroKey, std::string>& changed) {
    std::map<std::string, std::set<MacroKey>> used_by;
    for (const auto& [key, texts] : macros) {
      for (const std::string& text : texts) {
        for (const Token& token : tokenize(text)) {
          if (token.is_identifier() && token.text != key.second) used_by[std::string(token.text)].insert(key);
        }
      }
    }
    std::vector<MacroKey> open;
    for (const auto& [key, because] : changed) open.push_back(key);
    while (!open.empty()) {
      const MacroKey key = std::move(open.back());
      open.pop_back();
      for (const MacroKey& user : used_by[key.second]) {
        if (!key.first.empty() && user.first != key.first) continue;
        if (changed.emplace(user, "macro " + user.second + " uses it: " + changed[key]).second)
          open.push_back(user);
      }
    }
  }

  void collect_declarations() {
    for (const DeclarationChange& change : declarations_.changes) {
      if (!change.before || !change.after ||
          !changes_uses(*change.before, *change.after, declarations_.new_words))
        continue;
      const std::string kind = kind_name(change.after->kind);
      add_declaration(
          *change.after, ChangeReason::kDeclaration,
          kind + " " + visible_name(change.after->name) + difference_of(*change.before, *change.after));
    }
  }
  static std::string difference_of(const SourceDeclaration& before, const SourceDeclaration& after) {
    if (before.type != after.type) return difference(before.type, after.type);
    if (before.text != after.text) return difference(before.text, after.text);
    return " " + change_of_condition(before.compiled_if, after.compiled_if);
  }
  // `file`: that alone can use it because of this; empty: all.
  void add_declaration(const SourceDeclaration& declaration, ChangeReason reason, const std::string& because,
                       const std::string& file = "") {
    const bool function = declaration.kind == DeclarationKind::kFunction;
    const std::string name = visible_name(function ? before_parenthesis(declaration.name) : declaration.name);
    if (!seen_.insert(declaration.name).second) return;
    const auto [scope, plain] = split_qualified(name);
    add({declaration.kind, name, scope, reason, because, file});
    if (declaration.kind == DeclarationKind::kAlias || declaration.kind == DeclarationKind::kEnumerator ||
        declaration.kind == DeclarationKind::kVariable ||
        (declaration.kind == DeclarationKind::kField && is_constant(declaration))) {
      changed_words_.emplace(plain, ChangedWord{reason, because, file});
    }
  }

  // Declarations that mention a changed type, constant or macro.
  void follow_types() {
    struct Mention {
      const SourceDeclaration* declaration;
      const std::string* file;
    };
    std::unordered_map<std::string, std::vector<Mention>> mentioned_by;
    for (const SourceFile& file : files_.head) {
      for (const SourceDeclaration& declaration : file.declarations) {
        if (declaration.kind == DeclarationKind::kFunction) continue;
        const std::string plain = split_qualified(declaration.name).second;
        for (const Token& token : tokenize(declaration.text)) {
          if (token.is("=") && declaration.kind == DeclarationKind::kVariable &&
              !declaration.text.starts_with("const")) {
            break;
          }
          if (token.is_identifier() && token.text != plain) {
            mentioned_by[std::string(token.text)].push_back({&declaration, &file.path});
          }
        }
        for (const Token& token : tokenize(declaration.compiled_if)) {
          if (token.is_identifier())
            mentioned_by[std::string(token.text)].push_back({&declaration, &file.path});
        }
      }
    }
    std::vector<std::string> open;
    for (const auto& [word, why] : changed_words_) open.push_back(word);
    while (!open.empty()) {
      const std::string word = std::move(open.back());
      open.pop_back();
      const ChangedWord changed = changed_words_.at(word);
      for (const auto& [declaration, file] : mentioned_by[word]) {
        if (!changed.file.empty() && changed.file != *file) continue;
        const std::string plain = split_qualified(declaration->name).second;
        const bool known = changed_words_.contains(plain);
        add_declaration(*declaration, changed.reason,
                        std::string(kind_name(declaration->kind)) + " " + visible_name(declaration->name) +
                            ": " + changed.because,
                        changed.file);
        if (!known && changed_words_.contains(plain)) open.push_back(plain);
      }
    }
  }

  void find_use(uint32_t f, uint32_t s, std::vector<AffectedStatement>& result) {
    const IndexedFunction& function = after_.functions[f];
    const std::vector<Word>& words = function.statements[s].words;
    if (const Target* macro = changed_condition(function, s)) {
      result.push_back({f, s, macro->reason, "whether it is compiled: " + macro->because});
      return;
    }
    const AffectedStatement* found = nullptr;
    AffectedStatement best;
    for (size_t w = 0; w < words.size(); ++w) {
      if (words[w].local != 0) continue;
      const auto targets = targets_.find(words[w].text);
      if (targets == targets_.end()) continue;
      for (const Target& target : targets->second) {
        std::string note;
        if (!target.file.empty() && target.file != function.id.file) continue;
        if (!is_use(function, words, w, target, note)) continue;
        if (found != nullptr &&
            (best.reason == ChangeReason::kMacro || target.reason != ChangeReason::kMacro))
          continue;
        best = {f, s, target.reason, target.because + note};
        found = &best;
      }
    }
    if (found != nullptr) result.push_back(std::move(best));
  }

  // A changed macro that the preprocessor's condition around the statement asks for.
  const Target* changed_condition(const IndexedFunction& function, uint32_t s) {
    const std::string& condition = function.statements[s].source->compiled_if;
    if (condition.empty()) return nullptr;
    const auto [entry, is_new] = condition_words_.try_emplace(condition);
    if (is_new) {
      for (const Token& token : tokenize(condition)) {
        if (token.is_identifier()) entry->second.push_back(words_.number(token.text));
      }
    }
    for (const uint32_t word : entry->second) {
      const auto targets = targets_.find(word);
      if (targets == targets_.end()) continue;
      for (const Target& target : targets->second) {
        if (!target.kind && (target.file.empty() || target.file == function.id.file)) return &target;
      }
    }
    return nullptr;
  }

  std::string_view word_at(const std::vector<Word>& words, size_t w) const {
    return w < words.size() ? words_.word(words[w].text) : std::string_view();
  }

  bool is_use(const IndexedFunction& function, const std::vector<Word>& words, size_t w, const Target& target,
              std::string& note) const {
    const std::string_view before = w > 0 ? word_at(words, w - 1) : std::string_view();
    const bool member = before == "." || before == "->";
    if (!target.kind) return true;  // the preprocessor knows no scopes
    if (*target.kind == DeclarationKind::kFunction && word_at(words, w + 1) != "(") return false;
    const std::string owner = split_qualified(target.scope).second;
    const std::string scope = visible_name(function.source->name);
    if (before == "::")
      return w < 2 || owner.empty() || word_at(words, w - 2) == owner ||
             is_inner_scope(owner, word_at(words, w - 2));
    const bool of_class =
        *target.kind == DeclarationKind::kField || (*target.kind == DeclarationKind::kFunction && member);
    if (!member) return is_bare_use(scope, target, note);
    if (!of_class) return false;
    return is_member_use(function, words, w, owner, scope, target, note);
  }
  // `ns :: x` for a name in "ns::(anonymous namespace)".
  static bool is_inner_scope(const std::string& owner, std::string_view qualifier) {
    return owner.find(qualifier) != std::string::npos && qualifier != "std";
  }

  // A name without an object before it: the nearest scope that declares it.
  bool is_bare_use(const std::string& function_name, const Target& target, std::string& note) const {
    const std::string plain = split_qualified(target.name).second;
    for (std::string scope = function_name; !scope.empty();) {
      scope = split_qualified(scope).first;
      const std::string candidate = scope.empty() ? plain : scope + "::" + plain;
      if (types_.contains(candidate)) return candidate == target.name;
      // A base class of this one.
      if (const auto derived = types_.find(scope);
          derived != types_.end() && derived->second->kind == DeclarationKind::kClass &&
          *target.kind == DeclarationKind::kField &&
          mentions(derived->second->type, split_qualified(target.scope).second)) {
        return true;
      }
    }
    if (*target.kind == DeclarationKind::kField) return false;
    note = " (by its name: where it is declared is not certain)";
    return true;
  }

  bool is_member_use(const IndexedFunction& function, const std::vector<Word>& words, size_t w,
                     const std::string& owner, const std::string& scope, const Target& target,
                     std::string& note) const {
    const std::string plain = split_qualified(target.name).second;
    std::string type;
    if (w >= 2) {
      const Word& object = words[w - 2];
      const std::string_view name = words_.word(object.text);
      const bool chained = w >= 3 && (word_at(words, w - 3) == "." || word_at(words, w - 3) == "->");
      if (name == "this") return is_bare_use(scope, target, note);
      if (object.local != 0) {
        type = function.source->locals[object.local - 1].type;
      } else if (!chained) {
        for (std::string outer = scope; !outer.empty() && type.empty();) {
          outer = split_qualified(outer).first;
          const auto declared =
              types_.find(outer.empty() ? std::string(name) : outer + "::" + std::string(name));
          if (declared != types_.end()) type = declared->second->type;
        }
      }
    }
    if (!type.empty() && mentions(type, owner)) return true;
    // An object that is known to be of another class which has such a field.
    if (const auto owners = owners_.find(plain); !type.empty() && owners != owners_.end()) {
      for (const std::string& other : owners->second) {
        if (other != owner && mentions(type, other)) return false;
      }
    }
    note = " (by its name: the class of the object is not known)";
    return true;
  }

  const StatementMap::Files& files_;
  const DeclarationMatch& declarations_;
  const StatementIndex& after_;
  WordTable& words_;
  std::unordered_map<uint32_t, std::vector<Target>> targets_;               // by the word that is used
  std::unordered_map<std::string, std::vector<uint32_t>> condition_words_;  // by SourceStatement::compiled_if
  struct ChangedWord {
    ChangeReason reason;
    std::string because;
    std::string file;  // as in Target
  };
  std::map<std::string, ChangedWord> changed_words_;
  std::set<std::string> seen_;
  std::unordered_map<std::string, const SourceDeclaration*> types_;  // by visible name
  std::unordered_map<std::string, std::set<std::string>> owners_;    // field → classes that have it
};

}  // namespace

std::set<std::string> changed_public_macros(const StatementMap::Files& files) {
  const Macros before = macros_of(files.base, files.renamed);
  const Macros after = macros_of(files.head, {});
  std::set<std::string> changed;
  const auto compare = [&](const Macros& macros, const Macros& others) {
    for (const auto& [key, texts] : macros) {
      const auto other = others.find(key);
      if (key.first.empty() && (other == others.end() || other->second != texts)) changed.insert(key.second);
    }
  };
  compare(before, after);
  compare(after, before);
  return changed;
}

std::vector<AffectedStatement> affected_statements(const StatementMap::Files& files,
                                                   const DeclarationMatch& declarations,
                                                   const StatementIndex& after, WordTable& words) {
  return Propagator(files, declarations, after, words).run();
}

}  // namespace heddle
