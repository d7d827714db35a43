// The sites of a module: where a branch, an address or a call is in the source. Written into a section of the
// binary as SiteRecords (layout.h), which the linker joins.
#pragma once

#include <vector>

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "interact/concolic/layout.h"

namespace heddle::concolic {

class SiteTable {
 public:
  SiteTable(llvm::Module& module, bool is_library);

  // A pointer to the record; where the instruction's true and false successors go belongs to it, if it has
  // them.
  llvm::Constant* add(const llvm::Instruction& instruction, SiteKind kind,
                      const llvm::BasicBlock* taken = nullptr, const llvm::BasicBlock* not_taken = nullptr);

  // After the last site.
  void write();

 private:
  llvm::Constant* text(llvm::StringRef text);

  llvm::Module& module_;
  bool is_library_;
  llvm::StructType* type_;
  llvm::GlobalVariable* place_;  // stands for the table until its size is known
  std::vector<llvm::Constant*> records_;
  llvm::StringMap<llvm::Constant*> texts_;
};

}  // namespace heddle::concolic
