// The functions and variables of the runtime that instrumented code uses (runtime/hooks.cpp).
#pragma once

#include <llvm/IR/Module.h>

#include "interact/concolic/layout.h"

namespace heddle::concolic {

struct RuntimeHooks {
  explicit RuntimeHooks(llvm::Module& module);

  llvm::FunctionCallee binary, divide, cast, select, index, composite;
  llvm::FunctionCallee load, load_object, store, clear, copy, fill;
  llvm::FunctionCallee pin, branch, switch_case, mark;
  llvm::FunctionCallee arguments, argument_count;
  llvm::GlobalVariable* filter;
  llvm::GlobalVariable* frame;
  llvm::StructType* frame_type;
};

// The fields of CallFrame.
enum class FrameField : unsigned { kCallee, kReturned, kCaller, kArguments, kResults, kSources };

}  // namespace heddle::concolic
