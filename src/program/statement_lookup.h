// StatementLookup: which statement of the text stands at a place that a compiler speaks of.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "change/statements.h"

namespace heddle::program {

class StatementLookup {
 public:
  virtual ~StatementLookup() = default;
  // The innermost statement that holds the place, or nullptr if none is known: the line stands for it then.
  // The answer lives as long as this object. May be called by several threads. `file` is as in Node::file.
  virtual const SourceStatement* find(const std::string& file, uint32_t line, uint32_t column) = 0;
  // All of a file, by its text.
  virtual const SourceFile& text(const std::string& file) = 0;
};

// change/statements.h has one: parse_source.
using ParseSource = std::function<SourceFile(std::string path, std::string_view text)>;

// By the text of the files below `source`, each parsed when it is asked for. Without `parse`, no statement is
// ever known.
std::unique_ptr<StatementLookup> text_statements(std::filesystem::path source, ParseSource parse);

}  // namespace heddle::program
