#include "change/statement_map.h"

#include <algorithm>
#include <set>

#include "change/declaration_match.h"
#include "change/function_match.h"
#include "change/propagate.h"
#include "change/renamed_names.h"
#include "change/statement_align.h"
#include "change/statement_index.h"
#include "change/statement_places.h"

namespace heddle {

struct StatementMap::Impl {
  struct Place {
    uint32_t function = kNone;
    uint32_t statement = 0;
  };

  Files files;
  WordTable words;
  StatementIndex before;
  StatementIndex after;
  // The new version as it would be if names were still the old ones: what is compared. Functions and
  // statements have the numbers that they have in `after`.
  RenamedNames names;
  std::vector<SourceFile> head_under_old_names;
  StatementIndex compared;
  FunctionMatch functions;
  DeclarationMatch declarations;
  std::set<std::string> base_paths;
  std::set<std::string> head_paths;
  StatementPlaces base_places;
  StatementPlaces head_places;

  NewNames to_old_names;                                    // of the names that were renamed
  std::map<std::string, std::set<std::string>> old_locals;  // by name: what such locals were called

  std::vector<std::vector<Place>> to_after;   // per function and statement of the old version
  std::vector<std::vector<Place>> to_before;  // of the new one
  std::vector<std::vector<bool>> changed;     // of the new one
  std::vector<StatementChange> changes;
  std::vector<FunctionChange> function_changes;

  explicit Impl(Files given)
      : files(std::move(given)),
        before(index_statements(files.base, words)),
        after(index_statements(files.head, words)),
        names(find_renamed_names(files.base, files.head, files.renamed, files.names_elsewhere)),
        head_under_old_names(under_old_names(files.head, names.to_old)),
        compared(index_statements(head_under_old_names, words)),
        base_places(files.base),
        head_places(files.head) {
    for (const SourceFile& file : files.base) base_paths.insert(file.path);
    for (const SourceFile& file : files.head) head_paths.insert(file.path);
    functions = match_functions(before, compared, files.renamed);
    declarations = match_declarations(files.base, files.head, functions.scopes, names.to_new);
    for (const auto& [old_name, new_name] : declarations.new_words) to_old_names.emplace(new_name, old_name);
    for (const IndexedFunction& function : before.functions)
      to_after.emplace_back(function.statements.size());
    for (const IndexedFunction& function : after.functions) {
      to_before.emplace_back(function.statements.size());
      changed.emplace_back(function.statements.size());
    }
    align();
    follow_moves();
    add_and_remove();
    propagate();
    compare_unknown();
    list_functions();
  }

  static std::vector<SourceFile> under_old_names(const std::vector<SourceFile>& files,
                                                 const NewNames& to_old) {
    std::vector<SourceFile> result;
    for (const SourceFile& file : files) result.push_back(with_names(file, to_old));
    return result;
  }

  // Of files that were not given: they differ in nothing but their path.
  std::string new_path(const std::string& path) const {
    const auto found = files.renamed.find(path);
    return found == files.renamed.end() ? path : found->second;
  }
  std::string old_path(const std::string& path) const {
    for (const auto& [old_name, new_name] : files.renamed) {
      if (new_name == path) return old_name;
    }
    return path;
  }
  StatementId old_id(Place place) const { return {before.functions[place.function].id, place.statement}; }
  StatementId new_id(Place place) const { return {after.functions[place.function].id, place.statement}; }

  void pair(Place old_place, Place new_place) {
    to_after[old_place.function][old_place.statement] = new_place;
    to_before[new_place.function][new_place.statement] = old_place;
  }
  void modify(Place new_place, ChangeReason reason, std::string because) {
    std::vector<bool>& marks = changed[new_place.function];
    if (marks[new_place.statement]) return;
    marks[new_place.statement] = true;
    const Place old_place = to_before[new_place.function][new_place.statement];
    StatementChange change{ChangeKind::kModified, reason, std::nullopt, new_id(new_place),
                           std::move(because)};
    if (old_place.function != kNone) change.old_statement = old_id(old_place);
    changes.push_back(std::move(change));
  }

  // Than what was renamed: whoever uses another name now may mean something else.
  bool means_more(const std::string& old_name) const {
    return names.spelled.contains(old_name) || files.names_elsewhere.kept.contains(old_name);
  }

  // Names of data and functions. Of functions only those whose old name is gone and whose new one is new:
  // else a word can mean another one.
  RenamedWords renamed_words() {
    RenamedWords renamed;
    for (const auto& [old_word, new_word] : declarations.new_words)
      if (!means_more(old_word)) renamed[words.number(new_word)] = words.number(old_word);
    std::set<std::string> old_names;
    std::set<std::string> new_names;
    for (const IndexedFunction& function : before.functions) old_names.insert(function.plain);
    for (const IndexedFunction& function : compared.functions) new_names.insert(function.plain);
    std::map<std::string, std::set<std::string>> candidates;  // by new name
    for (uint32_t k = 0; k < compared.functions.size(); ++k) {
      const uint32_t i = functions.to_before[k];
      const std::string& name = compared.functions[k].plain;
      if (!old_names.contains(name)) candidates[name].insert(i == kNone ? "" : before.functions[i].plain);
    }
    for (const auto& [name, olds] : candidates) {
      if (olds.size() != 1 || olds.begin()->empty() || new_names.contains(*olds.begin())) continue;
      if (means_more(*olds.begin())) continue;
      renamed.emplace(words.number(name), words.number(*olds.begin()));
    }
    return renamed;
  }

  // Statements of functions that are in both versions.
  void align() {
    const RenamedWords renamed = renamed_words();
    for (uint32_t k = 0; k < after.functions.size(); ++k) {
      const uint32_t i = functions.to_before[k];
      if (i == kNone) continue;
      const Alignment alignment =
          align_statements(before.functions[i], compared.functions[k], renamed, words);
      for (const StatementPair& match : alignment.pairs) {
        pair({i, match.before}, {k, match.after});
        if (match.modified) modify({k, match.after}, ChangeReason::kText, match.because);
      }
      mark_uses_of_locals(i, k, alignment);
      mark_if_spelled(i, k);
      note_locals(i, k, alignment);
    }
  }

  // Who found a function by its name in a string may find another one now, or none.
  void mark_if_spelled(uint32_t i, uint32_t k) {
    const std::string& old_name = before.functions[i].plain;
    if (after.functions[k].plain == old_name || !names.spelled.contains(old_name)) return;
    for (uint32_t s = 0; s < after.functions[k].statements.size(); ++s)
      if (to_before[k][s].function != kNone)
        modify({k, s}, ChangeReason::kDeclaration, old_name + ", which stands in a string, was renamed");
  }

  void note_locals(uint32_t i, uint32_t k, const Alignment& alignment) {
    const std::vector<SourceLocal>& olds = before.functions[i].source->locals;
    const std::vector<SourceLocal>& news = after.functions[k].source->locals;
    for (size_t n = 0; n < news.size(); ++n) {
      const uint32_t o = alignment.old_local[n];
      old_locals[news[n].name].insert(o == 0 ? news[n].name : olds[o - 1].name);
    }
  }

  static std::string whole_type(const SourceLocal& local) {
    return local.storage.empty() ? local.type : local.storage + " " + local.type;
  }

  // A local or parameter of another type or storage changes what uses it.
  void mark_uses_of_locals(uint32_t i, uint32_t k, const Alignment& alignment) {
    const IndexedFunction& function = compared.functions[k];
    std::vector<std::string> because(function.source->locals.size());
    bool any = false;
    for (size_t n = 0; n < because.size(); ++n) {
      const uint32_t o = alignment.old_local[n];
      if (o == 0) continue;
      const SourceLocal& old_local = before.functions[i].source->locals[o - 1];
      const SourceLocal& new_local = function.source->locals[n];
      if (old_local.type == new_local.type && old_local.storage == new_local.storage) continue;
      because[n] = "local " + new_local.name + " was `" + whole_type(old_local) + "`, is `" +
                   whole_type(new_local) + "`";
      any = true;
    }
    if (!any) return;
    for (uint32_t s = 0; s < function.statements.size(); ++s) {
      if (to_before[k][s].function == kNone) continue;
      for (const Word& word : function.statements[s].words) {
        if (word.local != 0 && !because[word.local - 1].empty()) {
          modify({k, s}, ChangeReason::kDeclaration, because[word.local - 1]);
        }
      }
    }
  }

  template <class Places>
  static std::vector<uint32_t> unpaired(const Places& places) {
    std::vector<uint32_t> result;
    for (uint32_t s = 0; s < places.size(); ++s) {
      if (places[s].function == kNone) result.push_back(s);
    }
    return result;
  }
  // Functions without a partner that are called from statements of `caller`, by their name.
  static std::vector<uint32_t> called(const IndexedFunction& caller, const std::vector<uint32_t>& partners,
                                      const std::multimap<uint32_t, uint32_t>& by_name) {
    std::set<uint32_t> result;
    for (const IndexedStatement& statement : caller.statements) {
      for (const Word& word : statement.words) {
        const auto [first, last] = by_name.equal_range(word.text);
        for (auto entry = first; entry != last; ++entry) {
          if (partners[entry->second] == kNone) result.insert(entry->second);
        }
      }
    }
    return {result.begin(), result.end()};
  }
  std::multimap<uint32_t, uint32_t> names_of(const StatementIndex& index,
                                             const std::vector<uint32_t>& partners) {
    std::multimap<uint32_t, uint32_t> result;
    for (uint32_t f = 0; f < index.functions.size(); ++f) {
      if (partners[f] == kNone) result.emplace(words.number(index.functions[f].plain), f);
    }
    return result;
  }

  // Code that went into a new function that the old one calls now, or came out of one that it called.
  void follow_moves() {
    const auto added = names_of(compared, functions.to_before);
    const auto removed = names_of(before, functions.to_after);
    const auto move = [&](uint32_t i, uint32_t k) {
      const std::vector<uint32_t> olds = unpaired(to_after[i]);
      const std::vector<uint32_t> news = unpaired(to_before[k]);
      if (olds.empty() || news.empty()) return;
      for (const StatementPair& match :
           align_moved(before.functions[i], olds, compared.functions[k], news, words)) {
        pair({i, match.before}, {k, match.after});
      }
    };
    for (uint32_t k = 0; k < after.functions.size(); ++k) {
      const uint32_t i = functions.to_before[k];
      if (i == kNone) continue;
      if (!added.empty() && !unpaired(to_after[i]).empty()) {
        for (const uint32_t target : called(compared.functions[k], functions.to_before, added))
          move(i, target);
      }
      if (!removed.empty() && !unpaired(to_before[k]).empty()) {
        for (const uint32_t source : called(before.functions[i], functions.to_after, removed))
          move(source, k);
      }
    }
  }

  void add_and_remove() {
    for (uint32_t k = 0; k < after.functions.size(); ++k) {
      for (const uint32_t s : unpaired(to_before[k])) {
        changed[k][s] = true;
        changes.push_back({ChangeKind::kAdded, ChangeReason::kText, std::nullopt, new_id({k, s}), ""});
      }
    }
    for (uint32_t i = 0; i < before.functions.size(); ++i) {
      for (const uint32_t s : unpaired(to_after[i])) {
        changes.push_back({ChangeKind::kRemoved, ChangeReason::kText, old_id({i, s}), std::nullopt, ""});
      }
    }
  }

  void propagate() {
    for (AffectedStatement& affected : affected_statements(files, declarations, after, words)) {
      modify({affected.function, affected.statement}, affected.reason, std::move(affected.because));
    }
  }

  // Text outside functions that was not understood and is not in both versions.
  void compare_unknown() {
    std::map<std::string, std::pair<std::vector<std::string>, std::vector<std::string>>> texts;
    const auto where = [](const SourceFile& file, const SourceUnknown& unknown) {
      return file.path + ":" + std::to_string(unknown.range.first_line) + ": `" + unknown.text.substr(0, 60) +
             "`";
    };
    for (const SourceFile& file : files.base) {
      for (const SourceUnknown& unknown : file.not_understood)
        texts[unknown.text].first.push_back(where(file, unknown));
    }
    for (const SourceFile& file : head_under_old_names) {
      for (const SourceUnknown& unknown : file.not_understood)
        texts[unknown.text].second.push_back(where(file, unknown));
    }
    for (const auto& [text, places] : texts) {
      const auto& [olds, news] = places;
      if (olds.size() == news.size()) continue;
      const bool more = news.size() > olds.size();
      changes.push_back({more ? ChangeKind::kAdded : ChangeKind::kRemoved, ChangeReason::kUnknown,
                         std::nullopt, std::nullopt, (more ? news : olds).front() + " is not understood"});
    }
  }

  void list_functions() {
    std::set<FunctionId> touched;
    for (const StatementChange& change : changes) {
      if (change.new_statement) touched.insert(change.new_statement->function);
      if (change.old_statement) touched.insert(change.old_statement->function);
    }
    for (uint32_t k = 0; k < after.functions.size(); ++k) {
      const uint32_t i = functions.to_before[k];
      const IndexedFunction& function = after.functions[k];
      if (i == kNone) {
        function_changes.push_back({std::nullopt, function.id, false});
        continue;
      }
      const IndexedFunction& old_function = before.functions[i];
      const bool renamed =
          function.id.file != old_function.id.file || function.source->name != old_function.source->name;
      if (renamed || touched.contains(function.id) || touched.contains(old_function.id) ||
          function.id.signature != old_function.id.signature ||
          compared.functions[k].source->result != old_function.source->result) {
        function_changes.push_back({old_function.id, function.id, renamed});
      }
    }
    for (uint32_t i = 0; i < before.functions.size(); ++i) {
      if (functions.to_after[i] == kNone)
        function_changes.push_back({before.functions[i].id, std::nullopt, false});
    }
  }
};

StatementMap::StatementMap(Files files) : impl_(std::make_shared<const Impl>(std::move(files))) {}

const std::vector<StatementChange>& StatementMap::changes() const {
  return impl_->changes;
}
const std::vector<FunctionChange>& StatementMap::functions() const {
  return impl_->function_changes;
}
const std::vector<DeclarationChange>& StatementMap::declarations() const {
  return impl_->declarations.changes;
}

std::optional<FunctionId> StatementMap::to_new(const FunctionId& old_function) const {
  if (!impl_->base_paths.contains(old_function.file))
    return FunctionId{impl_->new_path(old_function.file), old_function.signature};
  const auto found = impl_->before.by_id.find(old_function);
  if (found == impl_->before.by_id.end()) return std::nullopt;
  const uint32_t k = impl_->functions.to_after[found->second];
  if (k == kNone) return std::nullopt;
  return impl_->after.functions[k].id;
}

std::optional<FunctionId> StatementMap::to_old(const FunctionId& new_function) const {
  if (!impl_->head_paths.contains(new_function.file))
    return FunctionId{impl_->old_path(new_function.file), new_function.signature};
  const auto found = impl_->after.by_id.find(new_function);
  if (found == impl_->after.by_id.end()) return std::nullopt;
  const uint32_t i = impl_->functions.to_before[found->second];
  if (i == kNone) return std::nullopt;
  return impl_->before.functions[i].id;
}

std::optional<StatementId> StatementMap::to_new(const StatementId& old_statement) const {
  if (!impl_->base_paths.contains(old_statement.function.file)) {
    return StatementId{*to_new(old_statement.function), old_statement.index};
  }
  const auto found = impl_->before.by_id.find(old_statement.function);
  if (found == impl_->before.by_id.end()) return std::nullopt;
  const std::vector<Impl::Place>& places = impl_->to_after[found->second];
  if (old_statement.index >= places.size() || places[old_statement.index].function == kNone)
    return std::nullopt;
  return impl_->new_id(places[old_statement.index]);
}

std::optional<StatementId> StatementMap::to_old(const StatementId& new_statement) const {
  if (!impl_->head_paths.contains(new_statement.function.file)) {
    return StatementId{*to_old(new_statement.function), new_statement.index};
  }
  const auto found = impl_->after.by_id.find(new_statement.function);
  if (found == impl_->after.by_id.end()) return std::nullopt;
  const std::vector<Impl::Place>& places = impl_->to_before[found->second];
  if (new_statement.index >= places.size() || places[new_statement.index].function == kNone)
    return std::nullopt;
  return impl_->old_id(places[new_statement.index]);
}

std::optional<std::string> StatementMap::field_to_new(const std::string& old_field) const {
  const auto found = impl_->declarations.new_fields.find(old_field);
  if (found == impl_->declarations.new_fields.end()) return std::nullopt;
  return found->second;
}

std::string StatementMap::under_old_names(const std::string& text) const {
  return with_names(text, impl_->to_old_names);
}

std::string StatementMap::local_under_old_names(const std::string& path) const {
  const size_t end = std::min(path.find_first_of(".["), path.size());
  const auto olds = impl_->old_locals.find(path.substr(0, end));
  if (olds == impl_->old_locals.end() || olds->second.size() != 1) return under_old_names(path);
  return *olds->second.begin() + under_old_names(path.substr(end));
}

std::optional<StatementId> StatementMap::base_statement_at(const std::string& file, uint32_t line,
                                                           uint32_t column) const {
  return impl_->base_places.at(file, line, column);
}

std::optional<StatementId> StatementMap::head_statement_at(const std::string& file, uint32_t line,
                                                           uint32_t column) const {
  return impl_->head_places.at(file, line, column);
}

bool StatementMap::has_changed_names_only() const {
  return changes().empty() && std::ranges::all_of(declarations(), &DeclarationChange::is_only_renamed);
}

bool StatementMap::has_base_file(const std::string& file) const {
  return impl_->base_paths.contains(file);
}

bool StatementMap::has_head_file(const std::string& file) const {
  return impl_->head_paths.contains(file);
}

bool StatementMap::is_changed(const StatementId& new_statement) const {
  const auto found = impl_->after.by_id.find(new_statement.function);
  if (found == impl_->after.by_id.end()) return false;
  const std::vector<bool>& marks = impl_->changed[found->second];
  return new_statement.index < marks.size() && marks[new_statement.index];
}

const SourceStatement* StatementMap::find_base(const StatementId& id) const {
  const auto found = impl_->before.by_id.find(id.function);
  if (found == impl_->before.by_id.end()) return nullptr;
  const auto& statements = impl_->before.functions[found->second].source->statements;
  return id.index < statements.size() ? &statements[id.index] : nullptr;
}

const SourceStatement* StatementMap::find_head(const StatementId& id) const {
  const auto found = impl_->after.by_id.find(id.function);
  if (found == impl_->after.by_id.end()) return nullptr;
  const auto& statements = impl_->after.functions[found->second].source->statements;
  return id.index < statements.size() ? &statements[id.index] : nullptr;
}

}  // namespace heddle
