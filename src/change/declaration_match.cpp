#include "change/declaration_match.h"

#include <algorithm>
#include <set>

#include "change/lexer.h"
#include "change/statement_index.h"

namespace heddle {

namespace {

bool holds_data(const SourceDeclaration& declaration) {
  return declaration.kind == DeclarationKind::kField || declaration.kind == DeclarationKind::kVariable;
}

// The token after the lambda that begins at `begin`; `begin` if there is none.
size_t after_lambda(const std::vector<Token>& tokens, size_t begin) {
  if (!tokens[begin].is("[") || (begin + 1 < tokens.size() && tokens[begin + 1].is("["))) return begin;
  if (begin > 0) {
    const Token& before = tokens[begin - 1];
    if (before.kind != TokenKind::kPunctuator || before.is(")") || before.is("]") || before.is("["))
      return begin;
  }
  int depth = 0;
  bool in_body = false;
  for (size_t i = begin; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (depth == 0 && token.is("{")) in_body = true;
    if (depth == 0 && (token.is(",") || token.is(";"))) return begin;
    if (token.is("(") || token.is("{") || token.is("[")) ++depth;
    if (token.is(")") || token.is("}") || token.is("]")) --depth;
    if (depth < 0) return begin;
    if (depth == 0 && in_body) return i + 1;
  }
  return begin;
}

// Its words without its own name, and of a variable without its initialiser. Lambdas are code, which is
// compared as such.
std::vector<std::string> essence(const SourceDeclaration& declaration, bool with_initializer) {
  const std::string name = split_qualified(declaration.name).second;
  std::vector<std::string> words;
  int depth = 0;
  bool in_value = false;
  bool after_name = false;
  const std::vector<Token> tokens = tokenize(declaration.text);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (const size_t after = after_lambda(tokens, i); holds_data(declaration) && after != i) {
      words.emplace_back("[]");
      i = after - 1;
      continue;
    }
    const Token& token = tokens[i];
    if (!with_initializer && depth == 0 && token.is("=")) break;
    // `Type name(value)`; parentheses after another word are of an attribute.
    if (!with_initializer && depth == 0 && (token.is("{") || (after_name && token.is("(")))) in_value = true;
    after_name = token.text == name;
    if (token.is("(") || token.is("{") || token.is("[")) ++depth;
    if (token.is(")") || token.is("}") || token.is("]")) --depth;
    if (!in_value && token.text != name && !token.is(";") && !token.is(",")) words.emplace_back(token.text);
  }
  return words;
}

using NewWords = std::map<std::string, std::string>;

std::vector<std::string> under_new_names(std::vector<std::string> words, const NewWords& new_words) {
  for (std::string& word : words)
    if (const auto found = new_words.find(word); found != new_words.end()) word = found->second;
  return words;
}

bool has_same_type(const SourceDeclaration& before, const SourceDeclaration& after,
                   const NewWords& new_words) {
  if (before.type == after.type) return true;
  const auto words_of = [](const std::string& type) {
    std::vector<std::string> words;
    for (const Token& token : tokenize(type)) words.emplace_back(token.text);
    return words;
  };
  return under_new_names(words_of(before.type), new_words) == words_of(after.type);
}

bool is_same(const SourceDeclaration& before, const SourceDeclaration& after, bool with_initializer,
             const NewWords& new_words) {
  return before.compiled_if == after.compiled_if && has_same_type(before, after, new_words) &&
         under_new_names(essence(before, with_initializer), new_words) == essence(after, with_initializer);
}

class DeclarationMatcher {
 public:
  DeclarationMatcher(const std::vector<SourceFile>& before, const std::vector<SourceFile>& after,
                     std::map<std::string, std::string> scopes, const NewNames& renamed)
      : scopes_(std::move(scopes)), renamed_(renamed) {
    result_.new_words.insert(renamed.begin(), renamed.end());
    collect(before, before_);
    collect(after, after_);
  }

  DeclarationMatch run() {
    find_renamed_scopes();
    by_name();
    // What is renamed can be part of another one's type.
    for (size_t known = 0; known != result_.new_words.size() + 1;) {
      known = result_.new_words.size() + 1;
      by_place();
    }
    drop_ambiguous_words();
    for (DeclarationChange& change : result_.changes)
      change.is_only_renamed = is_same(*change.before, *change.after, true, result_.new_words);
    for (const SourceDeclaration* declaration : left_before_) {
      if (declaration != nullptr) result_.changes.push_back({*declaration, std::nullopt});
    }
    for (const SourceDeclaration* declaration : left_after_) {
      if (declaration != nullptr) result_.changes.push_back({std::nullopt, *declaration});
    }
    return std::move(result_);
  }

 private:
  using List = std::vector<const SourceDeclaration*>;
  using Key = std::pair<DeclarationKind, std::string>;
  struct Version {
    List all;
    std::map<std::string, std::vector<const SourceDeclaration*>> scopes;  // fields of each class, in order
  };

  static void collect(const std::vector<SourceFile>& files, Version& version) {
    for (const SourceFile& file : files) {
      for (const SourceDeclaration& declaration : file.declarations) {
        version.all.push_back(&declaration);
        if (holds_data(declaration))
          version.scopes[split_qualified(declaration.name).first].push_back(&declaration);
      }
    }
  }

  std::string new_scope(const std::string& scope) const { return with_names(moved_scope(scope), renamed_); }
  std::string moved_scope(const std::string& scope) const {
    if (const auto found = scopes_.find(scope); found != scopes_.end()) return found->second;
    if (scope.empty()) return scope;
    const auto [outer, inner] = split_qualified(scope);
    if (outer.empty()) return scope;
    return moved_scope(outer) + "::" + inner;
  }
  std::string new_name(const std::string& name) const {
    const auto [scope, plain] = split_qualified(name);
    const std::string target = new_scope(scope);
    const std::string now = with_names(plain, renamed_);
    return target.empty() ? now : target + "::" + now;
  }

  // A class without functions has nobody to tell its new name but its fields.
  void find_renamed_scopes() {
    for (const auto& [scope, fields] : before_.scopes) {
      if (scope.empty() || after_.scopes.contains(new_scope(scope))) continue;
      std::set<std::string> names;
      for (const SourceDeclaration* field : fields) names.insert(split_qualified(field->name).second);
      std::vector<std::string> fitting;
      for (const auto& [other, other_fields] : after_.scopes) {
        if (other.empty() || before_.scopes.contains(other)) continue;
        size_t common = 0;
        for (const SourceDeclaration* field : other_fields)
          common += names.count(split_qualified(field->name).second);
        const bool same_last = split_qualified(scope).second == split_qualified(other).second;
        if (2 * common > std::max(fields.size(), other_fields.size()) && (same_last || common > 1)) {
          fitting.push_back(other);
        }
      }
      if (fitting.size() == 1) scopes_[scope] = fitting.front();
    }
  }

  void pair(const SourceDeclaration& before, const SourceDeclaration& after) {
    if (before.kind == DeclarationKind::kField) result_.new_fields[before.name] = after.name;
    const std::string old_plain = split_qualified(before.name).second;
    const std::string new_plain = split_qualified(after.name).second;
    if (before.text != after.text || before.type != after.type || before.compiled_if != after.compiled_if ||
        old_plain != new_plain) {
      result_.changes.push_back({before, after});
    }
    if (old_plain != new_plain) result_.new_words[old_plain] = new_plain;
  }

  // A word that is a name in both versions means something of its own in each.
  void drop_ambiguous_words() {
    std::set<std::string> old_names;
    std::set<std::string> new_names;
    for (const SourceDeclaration* declared : before_.all)
      old_names.insert(split_qualified(declared->name).second);
    for (const SourceDeclaration* declared : after_.all)
      new_names.insert(split_qualified(declared->name).second);
    std::erase_if(result_.new_words, [&](const auto& renamed) {
      return new_names.contains(renamed.first) || old_names.contains(renamed.second);
    });
  }

  void by_name() {
    std::map<Key, std::pair<List, List>> groups;
    for (const SourceDeclaration* declaration : before_.all) {
      groups[{declaration->kind, new_name(declaration->name)}].first.push_back(declaration);
    }
    for (const SourceDeclaration* declaration : after_.all) {
      groups[{declaration->kind, declaration->name}].second.push_back(declaration);
    }
    for (auto& [key, group] : groups) {
      auto& [olds, news] = group;
      // Those that are most alike first: a name may be declared in several places.
      using Fits = bool (*)(const SourceDeclaration&, const SourceDeclaration&);
      const Fits equal = [](const SourceDeclaration& a, const SourceDeclaration& b) {
        return a.text == b.text && a.compiled_if == b.compiled_if;
      };
      const Fits same_condition = [](const SourceDeclaration& a, const SourceDeclaration& b) {
        return a.compiled_if == b.compiled_if;
      };
      const Fits same_text = [](const SourceDeclaration& a, const SourceDeclaration& b) {
        return a.text == b.text;
      };
      const Fits any = [](const SourceDeclaration&, const SourceDeclaration&) { return true; };
      for (const Fits fits : {equal, same_text, same_condition, any}) {
        for (const SourceDeclaration*& before : olds) {
          for (const SourceDeclaration*& after : news) {
            if (before == nullptr || after == nullptr || !fits(*before, *after)) continue;
            pair(*before, *after);
            before = after = nullptr;
          }
        }
      }
      std::ranges::copy_if(olds, std::back_inserter(left_before_),
                           [](const auto* d) { return d != nullptr; });
      std::ranges::copy_if(news, std::back_inserter(left_after_), [](const auto* d) { return d != nullptr; });
    }
  }

  // Fields and variables that were renamed: of the same type, between the same neighbours.
  void by_place() {
    for (const auto& [scope, fields] : before_.scopes) {
      const auto found = after_.scopes.find(new_scope(scope));
      if (found == after_.scopes.end()) continue;
      const List olds = left(fields, left_before_);
      const List news = left(found->second, left_after_);
      std::vector<bool> taken(news.size());
      for (const SourceDeclaration* before : olds) {
        for (size_t k = 0; k < news.size(); ++k) {
          const SourceDeclaration* after = news[k];
          if (taken[k] || !has_same_type(*before, *after, result_.new_words) || before->kind != after->kind ||
              rank(*before, fields, olds) != rank(*after, found->second, news)) {
            continue;
          }
          taken[k] = true;
          pair(*before, *after);
          std::ranges::replace(left_before_, before, nullptr);
          std::ranges::replace(left_after_, after, nullptr);
          break;
        }
      }
    }
  }
  static List left(const List& fields, const List& rest) {
    List result;
    for (const SourceDeclaration* field : fields) {
      if (std::ranges::find(rest, field) != rest.end()) result.push_back(field);
    }
    return result;
  }
  // How many fields that have a partner stand before it.
  static size_t rank(const SourceDeclaration& field, const List& fields, const List& without_partner) {
    size_t result = 0;
    for (const SourceDeclaration* other : fields) {
      if (other == &field) break;
      if (std::ranges::find(without_partner, other) == without_partner.end()) ++result;
    }
    return result;
  }

  std::map<std::string, std::string> scopes_;
  const NewNames& renamed_;
  Version before_;
  Version after_;
  List left_before_;
  List left_after_;
  DeclarationMatch result_;
};

}  // namespace

DeclarationMatch match_declarations(const std::vector<SourceFile>& before,
                                    const std::vector<SourceFile>& after,
                                    std::map<std::string, std::string> scopes, const NewNames& renamed) {
  return DeclarationMatcher(before, after, std::move(scopes), renamed).run();
}

bool is_constant(const SourceDeclaration& declaration) {
  if (!holds_data(declaration)) return true;
  if (declaration.type.starts_with("const ") || declaration.type.ends_with(" const")) return true;
  for (const Token& token : tokenize(declaration.text)) {
    if (token.is("=")) break;
    if (token.is("constexpr")) return true;
  }
  return false;
}

bool changes_uses(const SourceDeclaration& before, const SourceDeclaration& after,
                  const std::map<std::string, std::string>& new_words) {
  return !is_same(before, after, is_constant(before) || is_constant(after), new_words);
}

const char* kind_name(DeclarationKind kind) {
  switch (kind) {
    case DeclarationKind::kVariable:
      return "variable";
    case DeclarationKind::kField:
      return "field";
    case DeclarationKind::kEnumerator:
      return "enumerator";
    case DeclarationKind::kAlias:
      return "type";
    case DeclarationKind::kClass:
      return "class";
    case DeclarationKind::kFunction:
      return "function";
  }
  return "name";
}

}  // namespace heddle
