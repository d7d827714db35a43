#include "change/statement_index.h"

#include "change/lexer.h"

namespace heddle {

uint32_t WordTable::number(std::string_view word) {
  const auto [found, added] = numbers_.try_emplace(std::string(word), static_cast<uint32_t>(words_.size()));
  if (added) {
    words_.push_back(found->first);
    layout_.push_back(word == "(" || word == ")" || word == "{" || word == "}" || word == "," ||
                      word == ";" || word == "[" || word == "]" || word == "::");
  }
  return found->second;
}

std::pair<std::string, std::string> split_qualified(std::string_view name) {
  size_t cut = std::string_view::npos;
  int depth = 0;
  for (size_t i = 0; i + 1 < name.size(); ++i) {
    const char c = name[i];
    if (name.substr(i).starts_with("operator")) break;  // its symbol may be a bracket
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    // "(anonymous namespace)::" is a scope, "(int)" ends the name.
    if (c == '(' && depth == 1 && !name.substr(i).starts_with("(anonymous namespace)")) break;
    if (c == ':' && name[i + 1] == ':' && depth == 0) cut = i;
  }
  if (cut == std::string_view::npos) return {"", std::string(name)};
  return {std::string(name.substr(0, cut)), std::string(name.substr(cut + 2))};
}

std::string change_of_condition(const std::string& before, const std::string& after) {
  const auto shown = [](const std::string& condition) {
    return condition.empty() ? "always" : "if " + condition;
  };
  return "was compiled " + shown(before) + ", is compiled " + shown(after);
}

StatementIndex index_statements(const std::vector<SourceFile>& files, WordTable& words) {
  StatementIndex index;
  for (const SourceFile& file : files) {
    for (const SourceFunction& function : file.functions) {
      IndexedFunction indexed;
      indexed.file = &file;
      indexed.source = &function;
      indexed.id = {file.path, function.signature};
      std::tie(indexed.scope, indexed.plain) = split_qualified(function.name);
      for (const SourceStatement& statement : function.statements) {
        IndexedStatement entry;
        entry.source = &statement;
        const std::vector<Token> plain = tokenize(statement.text);
        const std::vector<Token> normal = tokenize(statement.normal);
        entry.shape = mix(static_cast<uint64_t>(statement.kind), 1);
        for (size_t i = 0; i < plain.size(); ++i) {
          Word word{words.number(plain[i].text), 0};
          if (i < normal.size() && normal[i].text != plain[i].text && normal[i].text.starts_with("$")) {
            word.local = static_cast<uint32_t>(std::stoul(std::string(normal[i].text.substr(1))));
            if (word.local > function.locals.size()) word.local = 0;
          }
          entry.shape = mix(entry.shape, word.local != 0 ? 0 : word.text + 1);
          if (!words.is_layout(word.text)) ++entry.weight;
          entry.words.push_back(word);
        }
        indexed.weight += entry.weight;
        indexed.statements.push_back(std::move(entry));
      }
      index.by_id.emplace(indexed.id, static_cast<uint32_t>(index.functions.size()));
      index.functions.push_back(std::move(indexed));
    }
  }
  return index;
}

}  // namespace heddle
