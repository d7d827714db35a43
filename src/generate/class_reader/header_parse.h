// Parses headers with Clang, and hands what they mean to a reader while Clang can still be asked.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <clang/Basic/FileEntry.h>
#include <clang/Sema/Sema.h>

namespace heddle::generate {

struct CompileError {
  std::string text;      // "cache.h:7:3: error: unknown type name 'Foo'", and notes in lines of their own
  bool in_tail = false;  // in the source after the headers
};

struct ParsedHeaders {
  clang::Sema& sema;
  std::vector<CompileError> errors;
  std::set<const clang::FileEntry*> headers;  // those that were asked for, not what they include

  clang::ASTContext& context() const { return sema.getASTContext(); }
};

struct ParseRequest {
  std::vector<std::string> headers;  // as they are to be included
  std::vector<std::string> flags;
  std::string tail;  // source after the includes
};

// False if Clang cannot even begin.
bool parse_headers(const ParseRequest& request, const std::function<void(ParsedHeaders&)>& reader);

}  // namespace heddle::generate
