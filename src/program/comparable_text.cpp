#include "program/comparable_text.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "change/lexer.h"
#include "change/local_match.h"

namespace heddle::program {
namespace {

// A function's nodes as the comparison of source text has them.
class Version {
 public:
  Version(const Function& function, WordTable& words) {
    std::vector<std::vector<LocalKey>> locals_of_words;  // by node, then by word
    std::map<LocalKey, uint32_t> locals;                 // → its number here, from 1
    for (const Node& node : function.nodes) {
      const std::vector<Token> plain = tokenize(node.text);
      const std::vector<Token> normal = tokenize(node.normal);
      IndexedStatement& statement = indexed_.statements.emplace_back();
      std::vector<LocalKey>& keys = locals_of_words.emplace_back();
      for (size_t i = 0; i < plain.size(); ++i) {
        statement.words.push_back({words.number(plain[i].text), 0});
        keys.push_back({i < normal.size() ? number_of(normal[i].text) : 0, std::string(plain[i].text)});
        if (keys.back().number != 0) locals[keys.back()] = 0;
      }
    }
    for (auto& [key, local] : locals) {
      const bool is_parameter =
          std::ranges::find(function.parameter_names, key.name) != function.parameter_names.end();
      source_.locals.push_back({.name = key.name, .type = "", .declared_by = is_parameter ? ~0u : 0});
      local = static_cast<uint32_t>(source_.locals.size());
    }
    for (size_t n = 0; n < locals_of_words.size(); ++n) {
      for (size_t i = 0; i < locals_of_words[n].size(); ++i) {
        if (const LocalKey& key = locals_of_words[n][i]; key.number != 0)
          indexed_.statements[n].words[i].local = locals.at(key);
      }
    }
    indexed_.source = &source_;
  }
  Version(const Version&) = delete;

  const IndexedFunction& indexed() const { return indexed_; }

  std::vector<uint32_t> own_names(WordTable& words) const {
    std::vector<uint32_t> names;
    for (const SourceLocal& local : source_.locals) names.push_back(words.number(local.name));
    return names;
  }

  std::vector<std::string> texts(const std::vector<uint32_t>& names, const WordTable& words) const {
    std::vector<std::string> result;
    for (const IndexedStatement& statement : indexed_.statements) {
      std::string& text = result.emplace_back();
      for (const Word& word : statement.words) {
        text += word.local != 0 ? " $" : " ";  // a local is not the global of that name
        text += words.word(word.local != 0 ? names[word.local - 1] : word.text);
      }
    }
    return result;
  }

 private:
  // Statements of several functions of the text may have nodes here: numbers alone do not tell locals apart.
  struct LocalKey {
    uint32_t number = 0;  // in Node::normal; 0: it is none
    std::string name;

    auto operator<=>(const LocalKey&) const = default;
  };

  static uint32_t number_of(std::string_view normal) {
    uint32_t number = 0;
    if (normal.starts_with('$')) std::from_chars(normal.data() + 1, normal.data() + normal.size(), number);
    return number;
  }

  SourceFunction source_;
  IndexedFunction indexed_;
};

}  // namespace

ComparableTexts comparable_texts(const Function& base, const Function& head) {
  WordTable words;
  const Version before(base, words);
  const Version after(head, words);
  const std::vector<uint32_t> names = old_names_of_locals(before.indexed(), after.indexed(), words);
  return {before.texts(before.own_names(words), words), after.texts(names, words)};
}

}  // namespace heddle::program
