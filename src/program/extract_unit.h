// What the parts of the extraction share about one module. Private to it: LLVM types here.
#pragma once

#include <string>
#include <unordered_map>

#include <llvm/IR/Module.h>

#include "program/extract.h"
#include "program/extract_types.h"

namespace heddle::program {

class UnitBuilder {
 public:
  UnitBuilder(const llvm::Module& of, Unit& into, const ExtractOptions& how)
      : module(of), unit(into), types(into), options(how) {}

  // Of a function or variable; aliases stand for what they name.
  uint32_t symbol(const llvm::GlobalValue* value);
  // As the project names it.
  const std::string& file_name(const llvm::DIFile* file);

  const llvm::Module& module;
  Unit& unit;
  TypeTable types;
  const ExtractOptions& options;

 private:
  std::unordered_map<const llvm::GlobalValue*, uint32_t> symbols_;
  std::unordered_map<const llvm::DIFile*, std::string> files_;
};

// extract_function.cpp
Function extract_function(UnitBuilder& unit, const llvm::Function& source);

}  // namespace heddle::program
