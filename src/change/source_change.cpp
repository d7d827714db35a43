#include "change/source_change.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

#include "change/file_scope.h"
#include "change/lexer.h"
#include "change/propagate.h"
#include "change/renamed_names.h"

namespace heddle {
namespace {

using Words = std::unordered_set<std::string>;

// "Queue::size_" → "size_", "ns::push(int) const" → "push".
std::string last_word(const std::string& name) {
  const std::string head = name.substr(0, name.find('('));
  size_t begin = head.size();
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(head[begin - 1])) || head[begin - 1] == '_'))
    --begin;
  return head.substr(begin);
}

Words words_of(std::string_view text) {
  Words words;
  for (const Token& token : tokenize(text))
    if (token.is_identifier()) words.emplace(token.text);
  return words;
}

bool share_a_word(const Words& text, const Words& wanted) {
  return std::ranges::any_of(wanted, [&](const std::string& word) { return text.contains(word); });
}

// What unchanged text may use and mean something else by. What is new or gone cannot be used by both
// versions.
Words changed_names(const StatementMap::Files& files) {
  const std::set<std::string> macros = changed_public_macros(files);
  Words names(macros.begin(), macros.end());
  const StatementMap map(files);
  for (const DeclarationChange& change : map.declarations()) {
    if (!change.before || !change.after) continue;
    names.insert(last_word(change.before->name));
    names.insert(last_word(change.after->name));
  }
  names.erase("");
  return names;
}

// Files that did not change but use what did, found by the words in them. What is declared with a changed
// name has changed as well (a field of a type that stands for another one), so this goes on until it finds no
// more.
class Users {
 public:
  Users(const Repository& repository, const Revision& head) : repository_(repository), head_(head) {}

  Expected<void> add_to(StatementMap::Files* files) {
    Words wanted = changed_names(*files);
    const RenamedNames renamed = find_renamed_names(files->base, files->head, files->renamed, {});
    if (wanted.empty() && renamed.gone.empty()) return {};
    if (Expected<void> listed = list(*files); !listed) return listed;
    files->names_elsewhere = std::move(elsewhere_);
    if (Expected<void> noted = note_names(renamed, &files->names_elsewhere); !noted) return noted;
    for (bool found = true; found;) {
      found = false;
      for (auto candidate = candidates_.begin(); candidate != candidates_.end();) {
        if (!share_a_word(candidate->words, wanted)) {
          ++candidate;
          continue;
        }
        Expected<std::string> text = repository_.read(head_, candidate->path);
        if (!text) return tl::unexpected(text.error());
        SourceFile file = parse_source(candidate->path, *text);
        found = add_declared(file, &wanted) || found;
        files->base.push_back(file);
        files->head.push_back(std::move(file));
        candidate = candidates_.erase(candidate);
      }
    }
    return {};
  }

 private:
  struct Candidate {
    std::string path;
    Words words;
  };

  // What files that have not changed make of names that may have been renamed.
  Expected<void> note_names(const RenamedNames& renamed, NamesElsewhere* elsewhere) const {
    for (const Candidate& file : candidates_) {
      std::set<std::string> olds;
      for (const auto& [new_name, old_name] : renamed.to_old)
        if (file.words.contains(new_name)) elsewhere->taken.insert(new_name);
      for (const std::string& name : renamed.gone)
        if (file.words.contains(name) && !elsewhere->kept.contains(name)) olds.insert(name);
      if (olds.empty()) continue;
      const Expected<std::string> text = repository_.read(head_, file.path);
      if (!text) return tl::unexpected(text.error());
      elsewhere->kept.merge(names_meant(parse_source(file.path, *text), olds));
    }
    return {};
  }

  Expected<void> list(const StatementMap::Files& files) {
    const Expected<std::vector<std::string>> paths = repository_.files(head_);
    if (!paths) return tl::unexpected(paths.error());
    std::set<std::string> given;
    for (const SourceFile& file : files.head) given.insert(file.path);
    for (const std::string& path : *paths) {
      if (!is_source_file(path) || given.contains(path)) continue;
      const Expected<std::string> text = repository_.read(head_, path);
      if (!text) return tl::unexpected(text.error());
      candidates_.push_back({path, note_words(*text)});
    }
    add_spelling_macros(macros_, &elsewhere_.spelling_macros);
    return {};
  }

  Words note_words(std::string_view text) {
    LexedSource lexed = lex_source(text);
    Words words;
    for (const Token& token : lexed.tokens) {
      if (token.is_identifier()) words.emplace(token.text);
      if (token.kind == TokenKind::kString) add_spelled(token.text, &elsewhere_.spelled);
    }
    for (SourceMacro& macro : lexed.macros) {
      words.merge(words_of(macro.text));
      macros_.push_back(std::move(macro));
    }
    return words;
  }

  // Whether there were names that were not wanted before.
  static bool add_declared(const SourceFile& file, Words* wanted) {
    bool added = false;
    for (const SourceDeclaration& declared : file.declarations) {
      if (share_a_word(words_of(declared.type), *wanted))
        added = wanted->insert(last_word(declared.name)).second || added;
    }
    for (const SourceMacro& macro : file.macros) {
      if (share_a_word(words_of(macro.text), *wanted)) added = wanted->insert(macro.name).second || added;
    }
    wanted->erase("");
    return added;
  }

  const Repository& repository_;
  const Revision& head_;
  std::vector<Candidate> candidates_;
  std::vector<SourceMacro> macros_;  // of the candidates
  NamesElsewhere elsewhere_;
};

bool compile_alike(std::string_view before, std::string_view after) {
  const LexedSource old_source = lex_source(before);
  const LexedSource new_source = lex_source(after);
  const auto is_equal = [&](const Token& one, const Token& other) {
    return one.kind == other.kind && one.text == other.text &&
           old_source.conditions[one.condition] == new_source.conditions[other.condition];
  };
  const auto is_equal_macro = [](const SourceMacro& one, const SourceMacro& other) {
    return one.name == other.name && one.text == other.text && one.defined_if == other.defined_if;
  };
  return std::ranges::equal(old_source.tokens, new_source.tokens, is_equal) &&
         std::ranges::equal(old_source.macros, new_source.macros, is_equal_macro) &&
         old_source.includes == new_source.includes;
}

}  // namespace

Expected<SourceChange> compare_sources(const Repository& repository, const Revision& base,
                                       const Revision& head) {
  SourceChange change;
  change.base = base;
  change.head = head;
  Expected<std::vector<FileChange>> differ = repository.changes(base, head);
  if (!differ) return tl::unexpected(differ.error());
  change.files = std::move(*differ);
  StatementMap::Files files;
  for (const FileChange& file : change.files) {
    const std::string& path = file.new_path.empty() ? file.old_path : file.new_path;
    if (file.is_binary || !is_source_file(path)) {
      change.opaque.push_back(path);
      continue;
    }
    Expected<std::string> before, after;
    if (!file.old_path.empty()) {
      before = repository.read(base, file.old_path);
      if (!before) return tl::unexpected(before.error());
      files.base.push_back(parse_source(file.old_path, *before));
    }
    if (!file.new_path.empty()) {
      after = repository.read(head, file.new_path);
      if (!after) return tl::unexpected(after.error());
      files.head.push_back(parse_source(file.new_path, *after));
    }
    change.is_reworded = change.is_reworded || !compile_alike(*before, *after);
    if (!file.old_path.empty() && !file.new_path.empty() && file.old_path != file.new_path)
      files.renamed[file.old_path] = file.new_path;
  }
  if (const Expected<void> added = Users(repository, head).add_to(&files); !added)
    return tl::unexpected(added.error());
  change.statements = StatementMap(std::move(files));
  return change;
}

}  // namespace heddle
