#include "change/renamed_names.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <unordered_map>

#include "change/lexer.h"
#include "change/sequence_align.h"
#include "change/statement_index.h"

namespace heddle {

namespace {

using Names = std::set<std::string, std::less<>>;

// Beyond this many cells a stretch between two anchors is left out.
constexpr size_t kMostCells = 4'000'000;
// Each round makes more names known; few programs take more than three.
constexpr int kMostRounds = 10;

// A statement, or the head of a function with its body: what can be put side by side. Declarations say too
// little: that one stands where another stood does not make it the same.
struct Unit {
  SourceRange range;
  std::vector<std::string> words;
  std::vector<std::string> body;  // of a function
};

void add_words(std::string_view text, std::vector<std::string>* words) {
  for (const Token& token : tokenize(text)) words->emplace_back(token.text);
}

std::vector<Unit> units_of(const SourceFile& file) {
  std::vector<Unit> units;
  for (const SourceFunction& function : file.functions) {
    Unit head{function.range, {}, {}};
    add_words(function.result, &head.words);
    add_words(function.signature, &head.words);
    for (const SourceStatement& statement : function.statements) {
      Unit unit{statement.range, {}, {}};
      add_words(statement.normal, &unit.words);
      std::ranges::copy(unit.words, std::back_inserter(head.body));
      units.push_back(std::move(unit));
    }
    units.push_back(std::move(head));
  }
  std::ranges::stable_sort(units, {}, &Unit::range);
  return units;
}

bool is_word(std::string_view text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_');
}

// "ns::Queue<T>::push(int)": ns, Queue and push.
void add_declared(std::string_view qualified, Names* names) {
  std::string rest(qualified);
  while (!rest.empty()) {
    auto [scope, plain] = split_qualified(rest);
    for (const Token& token : tokenize(plain)) {
      if (token.is("~")) continue;
      if (token.is_identifier() && token.text != "operator") names->emplace(token.text);
      break;
    }
    rest = std::move(scope);
  }
}

class Version {
 public:
  explicit Version(const std::vector<SourceFile>& files, const std::set<std::string>& spelling_macros = {})
      : spelling_macros_(spelling_macros) {
    for (const SourceFile& file : files) {
      for (const SourceDeclaration& declared : file.declarations) add_declared(declared.name, &declared_);
      for (const SourceFunction& function : file.functions) add_declared(function.name, &declared_);
      const std::vector<Unit>& units = units_.emplace(file.path, units_of(file)).first->second;
      for (const Unit& unit : units) note_uses(unit.words);
      for (const SourceDeclaration& declared : file.declarations) note_uses(declared.text);
      for (const SourceMacro& macro : file.macros) note_uses(macro.text);
      for (const SourceUnknown& unknown : file.not_understood) note_uses(unknown.text);
    }
  }

  const Names& declared() const { return declared_; }
  bool mentions(const std::string& word) const { return used_.contains(word); }
  // Other than as a member of something, which may be another class's.
  bool mentions_bare(const std::string& word) const { return used_bare_.contains(word); }
  const std::set<std::string>& spelled() const { return spelled_; }
  const std::vector<Unit>* units(const std::string& path) const {
    const auto found = units_.find(path);
    return found == units_.end() ? nullptr : &found->second;
  }
  const std::map<std::string, std::vector<Unit>>& all_units() const { return units_; }

 private:
  void note_uses(const std::string& text) {
    std::vector<std::string> words;
    add_words(text, &words);
    note_uses(words);
  }
  void note_uses(const std::vector<std::string>& words) {
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word.find('"') != std::string::npos) add_spelled(word, &spelled_);
      if (!is_word(word)) continue;
      if (spelling_macros_.contains(word)) note_arguments(words, i + 1);
      used_.insert(word);
      const std::string_view before = i > 0 ? std::string_view(words[i - 1]) : std::string_view();
      const bool is_member = before == "." || before == "->";
      const bool is_library = before == "::" && i > 1 && words[i - 2] == "std";
      if (!is_member && !is_library) used_bare_.insert(word);
    }
  }

  // Of a macro: those that are a name and nothing else.
  void note_arguments(const std::vector<std::string>& words, size_t open) {
    if (open >= words.size() || words[open] != "(") return;
    bool is_name = true;
    int depth = 0;
    const std::string* last = nullptr;
    for (size_t i = open; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "(") ++depth;
      if (word == ")") --depth;
      if ((depth == 1 && (word == "(" || word == ",")) || depth == 0) {
        if (is_name && last != nullptr) spelled_.insert(*last);
        is_name = true;
        last = nullptr;
        if (depth == 0) return;
      } else if (is_word(word)) {
        last = &word;
      } else {
        is_name = is_name && (word == "::" || word == "&");
      }
    }
  }

  const std::set<std::string> spelling_macros_;
  std::set<std::string> spelled_;
  Names declared_;
  Names used_;
  Names used_bare_;
  std::map<std::string, std::vector<Unit>> units_;  // by path
};

class NameFinder {
 public:
  NameFinder(const std::vector<SourceFile>& before, const std::vector<SourceFile>& after,
             const std::map<std::string, std::string>& new_paths, const NamesElsewhere& elsewhere)
      : before_(before, spelling_macros(before, elsewhere)), after_(after), new_paths_(new_paths) {
    for (const std::string& name : before_.declared()) {
      if (after_.declared().contains(name)) continue;
      result_.gone.insert(name);
      if (before_.spelled().contains(name) || elsewhere.spelled.contains(name)) {
        result_.spelled.insert(name);
      } else if (!after_.mentions_bare(name) && !elsewhere.kept.contains(name)) {
        gone_.insert(name);
      }
    }
    for (const std::string& name : after_.declared())
      if (!before_.mentions(name) && !before_.declared().contains(name) && !elsewhere.taken.contains(name))
        new_.insert(name);
  }

  RenamedNames run() {
    for (int round = 0; round < kMostRounds && !gone_.empty() && !new_.empty(); ++round)
      if (!find_more()) break;
    return std::move(result_);
  }

 private:
  static std::set<std::string> spelling_macros(const std::vector<SourceFile>& files,
                                               const NamesElsewhere& elsewhere) {
    std::set<std::string> names = elsewhere.spelling_macros;
    for (const SourceFile& file : files) add_spelling_macros(file.macros, &names);
    return names;
  }

  bool find_more() {
    votes_.clear();
    for (const auto& [path, units] : before_.all_units()) {
      const auto moved = new_paths_.find(path);
      if (const std::vector<Unit>* now = after_.units(moved == new_paths_.end() ? path : moved->second))
        compare(units, *now);
    }
    return count_votes();
  }

  // Equal if all words are, but for those that may have been renamed, of which the same ones are the same.
  uint64_t shape(const Unit& unit, const Names& open, const NewNames& known) {
    std::unordered_map<std::string_view, uint64_t> seen;
    uint64_t hash = 7;
    for (const std::vector<std::string>* words : {&unit.words, &unit.body}) {
      for (const std::string& word : *words) {
        if (open.contains(word)) {
          hash = mix(hash, 2 * seen.try_emplace(word, seen.size()).first->second + 1);
          continue;
        }
        const auto old_name = known.find(word);
        hash = mix(hash, 2 * uint64_t{words_.number(old_name == known.end() ? word : old_name->second)});
      }
    }
    return hash;
  }

  void compare(const std::vector<Unit>& before, const std::vector<Unit>& after) {
    std::vector<uint64_t> olds;
    std::vector<uint64_t> news;
    for (const Unit& unit : before) olds.push_back(shape(unit, gone_, {}));
    for (const Unit& unit : after) news.push_back(shape(unit, new_, result_.to_old));
    std::unordered_map<uint64_t, int64_t> more;  // in the old version, of each shape
    for (const uint64_t shape : olds) ++more[shape];
    for (const uint64_t shape : news) --more[shape];
    const auto vote = [&](size_t i, size_t k) {
      // Which of several functions that are alike is gone, nobody can tell.
      if (before[i].body.empty() || more[olds[i]] == 0) this->vote(before[i], after[k]);
    };
    size_t begin = 0;
    while (begin < std::min(olds.size(), news.size()) && olds[begin] == news[begin]) {
      vote(begin, begin);
      ++begin;
    }
    size_t old_end = olds.size();
    size_t new_end = news.size();
    while (old_end > begin && new_end > begin && olds[old_end - 1] == news[new_end - 1])
      vote(--old_end, --new_end);
    const std::vector<uint64_t> old_rest(olds.begin() + begin, olds.begin() + old_end);
    const std::vector<uint64_t> new_rest(news.begin() + begin, news.begin() + new_end);
    for (const auto& [i, k] : pairs_of(old_rest, new_rest, before, begin)) vote(begin + i, begin + k);
  }

  using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;
  static Pairs pairs_of(const std::vector<uint64_t>& olds, const std::vector<uint64_t>& news,
                        const std::vector<Unit>& units, size_t begin) {
    if (olds.empty() || news.empty()) return {};
    if (olds.size() * news.size() > kMostCells) return unique_anchors(olds, news);
    return best_pairing(
        static_cast<uint32_t>(olds.size()), static_cast<uint32_t>(news.size()), [&](uint32_t i, uint32_t k) {
          return olds[i] == news[k] ? static_cast<int32_t>(units[begin + i].words.size()) + 1 : 0;
        });
  }

  void vote(const Unit& before, const Unit& after) {
    for (size_t i = 0; i < before.words.size(); ++i)
      if (gone_.contains(before.words[i])) ++votes_[before.words[i]][after.words[i]];
  }

  // Those of which two thirds of the places say so, on both sides.
  bool count_votes() {
    std::map<std::string, uint32_t> of_new;
    for (const auto& [old_name, targets] : votes_)
      for (const auto& [new_name, count] : targets) of_new[new_name] += count;
    bool found = false;
    for (const auto& [old_name, targets] : votes_) {
      uint32_t all = 0;
      for (const auto& [new_name, count] : targets) all += count;
      for (const auto& [new_name, count] : targets) {
        if (3 * count < 2 * all || 3 * count < 2 * of_new[new_name]) continue;
        result_.to_new.emplace(old_name, new_name);
        result_.to_old.emplace(new_name, old_name);
        gone_.erase(old_name);
        new_.erase(new_name);
        found = true;
      }
    }
    return found;
  }

  const Version before_;
  const Version after_;
  const std::map<std::string, std::string>& new_paths_;
  Names gone_;  // may have been renamed; those that are known to be are not in it
  Names new_;   // may be a new name
  WordTable words_;
  std::map<std::string, std::map<std::string, uint32_t>> votes_;
  RenamedNames result_;
};

}  // namespace

RenamedNames find_renamed_names(const std::vector<SourceFile>& before, const std::vector<SourceFile>& after,
                                const std::map<std::string, std::string>& new_paths,
                                const NamesElsewhere& elsewhere) {
  return NameFinder(before, after, new_paths, elsewhere).run();
}

std::set<std::string> names_meant(const SourceFile& file, const std::set<std::string>& names) {
  const Version version({file});
  std::set<std::string> meant;
  for (const std::string& name : names)
    if (version.declared().contains(name) || version.mentions_bare(name)) meant.insert(name);
  return meant;
}

void add_spelled(std::string_view literal, std::set<std::string>* words) {
  const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string word;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (is_of_word(literal[i])) {
      word += literal[i];
      continue;
    }
    if (literal[i] == '\\') ++i;
    if (!word.empty()) words->insert(word);
    word.clear();
  }
}

void add_spelling_macros(const std::vector<SourceMacro>& macros, std::set<std::string>* names) {
  for (bool found = true; found;) {
    found = false;
    for (const SourceMacro& macro : macros) {
      if (names->contains(macro.name)) continue;
      const bool spells = macro.text.find('#') != std::string::npos ||
                          std::ranges::any_of(tokenize(macro.text), [&](const Token& token) {
                            return token.is_identifier() && names->contains(std::string(token.text));
                          });
      if (spells) found = names->insert(macro.name).second || found;
    }
  }
}

std::string with_names(std::string_view text, const NewNames& names) {
  std::string result;
  size_t done = 0;
  for (const Token& token : tokenize(text)) {
    if (!token.is_identifier()) continue;
    const auto found = names.find(token.text);
    if (found == names.end()) continue;
    const auto begin = static_cast<size_t>(token.text.data() - text.data());
    result += text.substr(done, begin - done);
    result += found->second;
    done = begin + token.text.size();
  }
  result += text.substr(done);
  return result;
}

SourceFile with_names(const SourceFile& file, const NewNames& names) {
  SourceFile result = file;
  for (SourceFunction& function : result.functions) {
    for (std::string* text : {&function.name, &function.signature, &function.result})
      *text = with_names(*text, names);
    for (SourceLocal& local : function.locals) {
      local.name = with_names(local.name, names);
      local.type = with_names(local.type, names);
    }
    for (SourceStatement& statement : function.statements) {
      statement.text = with_names(statement.text, names);
      statement.normal = with_names(statement.normal, names);
    }
  }
  for (SourceUnknown& unknown : result.not_understood) unknown.text = with_names(unknown.text, names);
  return result;
}

}  // namespace heddle
