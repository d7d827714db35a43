#include "check/changed_classes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <map>
#include <sstream>

namespace heddle {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 6> kHeaderEndings = {".h", ".hh", ".hpp", ".hxx", ".h++", ".H"};
// Parts of words that name what orders threads: in types, and in what functions use.
constexpr std::array<std::string_view, 12> kSynchronising = {
    "mutex",    "atomic",    "condition_variable", "semaphore", "latch",      "barrier",
    "spinlock", "once_flag", "call_once",          "rwlock",    "lock_guard", "unique_lock"};
constexpr std::array<std::string_view, 3> kLockWords = {"lock", "scoped_lock", "shared_lock"};

bool is_header(const fs::path& path) {
  const std::string ending = path.extension().string();
  return std::find(kHeaderEndings.begin(), kHeaderEndings.end(), ending) != kHeaderEndings.end();
}

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (is_word_character(c)) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

bool synchronises(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return std::any_of(kSynchronising.begin(), kSynchronising.end(),
                       [&](std::string_view part) { return word.find(part) != std::string::npos; }) ||
           std::find(kLockWords.begin(), kLockWords.end(), word) != kLockWords.end();
  });
}

// "ns::Cache<K>::get(int) const" → "ns::Cache::get".
std::string plain_name(const std::string& text) {
  std::string name;
  int depth = 0;
  for (const char c : text) {
    if (c == '(' && depth == 0) break;
    if (c == '<') ++depth;
    if (depth == 0 && c != ' ') name += c;
    if (c == '>' && depth > 0) --depth;
  }
  return name;
}

std::string last_part(const std::string& name) {
  const size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

// Every scope that a name is in: of "a::B::c", "a" and "a::B".
void add_scopes(const std::string& name, std::set<std::string>* scopes) {
  for (size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at + 2))
    if (at > 0) scopes->insert(name.substr(0, at));
}

bool mentions(const std::string& text, const std::string& word) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_word_character(text[at - 1])) &&
        (end >= text.size() || !is_word_character(text[end])))
      return true;
  }
  return false;
}

bool is_member_of(const std::string& name, const std::string& scope) {
  return name.starts_with(scope + "::");
}

// The text of the change, as scopes and as what is said in them.
class Touched {
 public:
  Touched(const SourceChange& change, const std::set<std::string>& functions) {
    for (const StatementChange& statement : change.statements.changes()) {
      if (statement.new_statement) add(statement.new_statement->function);
      if (statement.old_statement) add(statement.old_statement->function);
    }
    for (const FunctionChange& function : change.statements.functions()) {
      if (function.renamed) continue;
      if (function.new_function) add(*function.new_function);
      if (function.old_function) add(*function.old_function);
    }
    for (const DeclarationChange& declaration : change.statements.declarations()) {
      if (declaration.is_only_renamed) continue;
      for (const std::optional<SourceDeclaration>* side : {&declaration.before, &declaration.after})
        if (*side) add(**side);
    }
    for (const std::string& function : functions) add_scopes(plain_name(function), &scopes_);
  }

  const std::set<std::string>& scopes() const { return scopes_; }
  // Whether something that is gone, or was otherwise, synchronised.
  bool synchronised(const std::string& name) const {
    return std::any_of(synchronising_.begin(), synchronising_.end(),
                       [&](const std::string& field) { return is_member_of(field, name); });
  }

 private:
  void add(const FunctionId& function) { add_scopes(plain_name(function.signature), &scopes_); }
  void add(const SourceDeclaration& declaration) {
    const std::string name = plain_name(declaration.name);
    add_scopes(name, &scopes_);
    if (declaration.kind == DeclarationKind::kClass) scopes_.insert(name);
    if (declaration.kind == DeclarationKind::kField && synchronises(declaration.type))
      synchronising_.insert(name);
  }

  std::set<std::string> scopes_;
  std::set<std::string> synchronising_;
};

// The headers of a tree, and what stands in them.
class Tree {
 public:
  explicit Tree(const fs::path& root) {
    std::error_code failed;
    for (auto at =
             fs::recursive_directory_iterator(root, fs::directory_options::skip_permission_denied, failed);
         !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
      const std::string name = at->path().filename().string();
      if (at->is_directory(failed)) {
        if (name.starts_with('.')) at.disable_recursion_pending();
        continue;
      }
      if (is_header(at->path())) headers_.push_back(at->path());
    }
    std::sort(headers_.begin(), headers_.end());
  }

  std::vector<fs::path> headers_with(const std::string& word) {
    std::vector<fs::path> found;
    for (const fs::path& header : headers_)
      if (mentions(text_of(header), word)) found.push_back(header);
    return found;
  }

  const SourceFile& parsed(const fs::path& path) {
    const auto known = parsed_.find(path);
    if (known != parsed_.end()) return known->second;
    return parsed_.emplace(path, parse_source(path.string(), text_of(path))).first->second;
  }

  const std::string& text_of(const fs::path& path) {
    const auto known = texts_.find(path);
    return known != texts_.end() ? known->second : texts_.emplace(path, read(path)).first->second;
  }

 private:
  std::vector<fs::path> headers_;
  std::map<fs::path, std::string> texts_;
  std::map<fs::path, SourceFile> parsed_;
};

// Whether the class, what is nested in it, or one of its bases has something that synchronises.
class Synchronising {
 public:
  Synchronising(Tree& tree, const SourceChange& change, const fs::path& root)
      : tree_(tree), change_(change), root_(root) {}

  bool is(const std::string& name, const fs::path& header, int depth = 0) {
    const SourceFile& file = tree_.parsed(header);
    if (has_synchronising_member(file, name)) return true;
    for (const FileChange& changed : change_.files) {
      const fs::path path = root_ / changed.new_path;
      if (path != header && has_synchronising_member(tree_.parsed(path), name)) return true;
    }
    if (depth > 3) return false;
    for (const SourceDeclaration& declaration : file.declarations) {
      const bool is_base = declaration.kind == DeclarationKind::kClass && declaration.name == name;
      const bool is_field = is_member(declaration, name);
      if (!is_base && !is_field) continue;
      if (is_any_of(declaration.type, depth + 1)) return true;
    }
    return false;
  }

 private:
  static bool is_member(const SourceDeclaration& declaration, const std::string& name) {
    return (declaration.kind == DeclarationKind::kField || declaration.kind == DeclarationKind::kVariable) &&
           is_member_of(plain_name(declaration.name), name);
  }

  static bool has_synchronising_member(const SourceFile& file, const std::string& name) {
    return std::any_of(file.declarations.begin(), file.declarations.end(),
                       [&](const SourceDeclaration& declaration) {
                         return is_member(declaration, name) && synchronises(declaration.type);
                       }) ||
           std::any_of(file.functions.begin(), file.functions.end(), [&](const SourceFunction& function) {
             return is_member_of(plain_name(function.name), name) &&
                    std::any_of(
                        function.statements.begin(), function.statements.end(),
                        [](const SourceStatement& statement) { return synchronises(statement.text); });
           });
  }

  // Of the project's own types that the text names: a lock that is wrapped is a lock.
  bool is_any_of(const std::string& types, int depth) {
    std::string word;
    for (const char c : types + " ") {
      if (is_word_character(c)) {
        word += c;
        continue;
      }
      if (word.size() > 2 && asked_.insert(word).second) {
        for (const fs::path& header : tree_.headers_with(word)) {
          for (const std::string& scope : classes_named(header, word))
            if (is(scope, header, depth)) return true;
        }
      }
      word.clear();
    }
    return false;
  }

  std::set<std::string> classes_named(const fs::path& header, const std::string& word) {
    std::set<std::string> scopes;
    for (const SourceDeclaration& declaration : tree_.parsed(header).declarations)
      add_scopes(plain_name(declaration.name), &scopes);
    std::erase_if(scopes, [&](const std::string& scope) { return last_part(scope) != word; });
    return scopes;
  }

  Tree& tree_;
  const SourceChange& change_;
  const fs::path root_;
  std::set<std::string> asked_;
};

std::vector<std::string> scope_parts(const std::string& name) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t at = name.find("::"); at != std::string::npos; at = name.find("::", begin)) {
    parts.push_back(name.substr(begin, at - begin));
    begin = at + 2;
  }
  parts.push_back(name.substr(begin));
  return parts;
}

// Inline namespaces are in the one name and perhaps not in the other.
bool is_same_class(const std::string& scope, const std::string& name) {
  const std::vector<std::string> longer = scope_parts(scope.size() > name.size() ? scope : name);
  const std::vector<std::string> shorter = scope_parts(scope.size() > name.size() ? name : scope);
  if (longer.back() != shorter.back()) return false;
  size_t found = 0;
  for (const std::string& part : longer)
    if (found < shorter.size() && part == shorter[found]) ++found;
  return found == shorter.size();
}

// Whether some line has the word behind `class` or `struct`: a namespace has not.
bool may_define_class(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = std::min(line.find("class "), line.find("struct "));
    if (at != std::string::npos && mentions(line.substr(at), name)) return true;
  }
  return false;
}

}  // namespace

ChangedClasses changed_classes(const SourceChange& change, const std::set<std::string>& functions,
                               const fs::path& head_tree,
                               const std::function<std::vector<std::string>(const fs::path&)>& classes_of) {
  const Touched touched(change, functions);
  Tree tree(head_tree);
  Synchronising synchronising(tree, change, head_tree);
  std::map<fs::path, std::vector<std::string>> defined;
  std::map<std::string, ChangedClass> found;
  std::set<std::string> others;
  for (const std::string& scope : touched.scopes()) {
    for (const fs::path& header : tree.headers_with(last_part(scope))) {
      if (!may_define_class(tree.text_of(header), last_part(scope))) continue;
      const SourceFile& parsed = tree.parsed(header);
      const bool has_members =
          std::any_of(parsed.functions.begin(), parsed.functions.end(),
                      [&](const SourceFunction& one) { return is_member_of(plain_name(one.name), scope); }) ||
          std::any_of(
              parsed.declarations.begin(), parsed.declarations.end(),
              [&](const SourceDeclaration& one) { return is_member_of(plain_name(one.name), scope); });
      if (!has_members) continue;
      const auto [classes, is_new] = defined.try_emplace(header);
      if (is_new) classes->second = classes_of(header);
      for (const std::string& name : classes->second) {
        if (!is_same_class(scope, name)) continue;
        if (!touched.synchronised(scope) && !synchronising.is(scope, header)) {
          others.insert(name);
          continue;
        }
        found.insert({name, {.name = name, .header = header.lexically_relative(head_tree)}});
      }
    }
  }
  ChangedClasses result;
  for (auto& [name, one] : found) {
    others.erase(name);
    result.classes.push_back(std::move(one));
  }
  result.others.assign(others.begin(), others.end());
  return result;
}

}  // namespace heddle
