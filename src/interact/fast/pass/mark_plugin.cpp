// The plugin of clang for the fast form: `-fpass-plugin=libheddle_fast_pass.so`. Before each statement that
// is watched it calls heddle_fast_mark() (runtime/feedback.c) with the statement's number.
//
// It works on what the front end made, so that statements are those of the source.
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/Path.h>

namespace {

using namespace llvm;

using Number = std::optional<uint32_t>;

// The statements that HEDDLE_FAST_WATCH names: a file of path:line:column, numbered by their lines.
class WatchedStatements {
 public:
  WatchedStatements() {
    const char* const path = std::getenv("HEDDLE_FAST_WATCH");
    if (path == nullptr) return;
    std::ifstream file(path);
    uint32_t number = 0;
    for (std::string text; std::getline(file, text); ++number) {
      const auto [place, column] = StringRef(text).rsplit(':');
      unsigned first = 0;
      // Of two with the same place, the first.
      if (!column.getAsInteger(10, first)) columns_[place.str()].emplace(first, number);
    }
  }

  bool empty() const { return columns_.empty(); }

  Number number_of(const DebugLoc& location) const {
    const auto found = columns_.find(place_of(location));
    if (found == columns_.end()) return std::nullopt;
    // What comes before the next statement is part of it.
    const auto after = found->second.upper_bound(location.getCol());
    if (after == found->second.begin()) return std::nullopt;
    return std::prev(after)->second;
  }

 private:
  static std::string place_of(const DebugLoc& location) {
    const auto* const scope = cast<DIScope>(location.getScope());
    SmallString<256> path = scope->getFilename();
    if (!sys::path::is_absolute(path)) {
      path = scope->getDirectory();
      sys::path::append(path, scope->getFilename());
    }
    sys::path::remove_dots(path, true);
    return (path + ":" + Twine(location.getLine())).str();
  }

  std::map<std::string, std::map<unsigned, uint32_t>> columns_;  // by path:line
};

bool is_of_statement(const Instruction& instruction) {
  const DebugLoc& location = instruction.getDebugLoc();
  return location && location.getLine() != 0 && !isa<PHINode>(instruction) &&
         !isa<DbgInfoIntrinsic>(instruction) && !instruction.isEHPad() && !isa<AllocaInst>(instruction);
}

struct MarkStatements : PassInfoMixin<MarkStatements> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    const WatchedStatements watched;
    if (watched.empty()) return PreservedAnalyses::all();
    std::vector<std::pair<Instruction*, uint32_t>> begins;
    for (Function& function : module) {
      for (BasicBlock& block : function) {
        Number current;
        for (Instruction& instruction : block) {
          if (!is_of_statement(instruction)) continue;
          const Number here = watched.number_of(instruction.getDebugLoc());
          if (here && here != current) begins.emplace_back(&instruction, *here);
          current = here;
        }
      }
    }
    LLVMContext& context = module.getContext();
    Type* const number_type = Type::getInt32Ty(context);
    const FunctionCallee mark =
        module.getOrInsertFunction("heddle_fast_mark", Type::getVoidTy(context), number_type);
    for (const auto& [instruction, number] : begins)
      IRBuilder<>(instruction).CreateCall(mark, {ConstantInt::get(number_type, number)});
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct WatchTexts : PassInfoMixin<WatchTexts> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    for (const char* const name : {"strcmp", "strcasecmp", "strncmp", "strncasecmp", "memcmp", "bcmp"}) {
      Function* const function = module.getFunction(name);
      if (function == nullptr || !function->isDeclaration()) continue;
      // Without what is known of the library's: that it writes no memory, above all.
      const FunctionCallee own =
          module.getOrInsertFunction(std::string("heddle_fast_") + name, function->getFunctionType());
      for (User* const user : make_early_inc_range(function->users())) {
        auto* const call = dyn_cast<CallBase>(user);
        if (call == nullptr || call->getCalledOperand() != function) continue;
        call->setCalledFunction(own);
        call->removeFnAttr(Attribute::Memory);
      }
    }
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

void register_passes(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager& passes, OptimizationLevel) {
    passes.addPass(MarkStatements());
    passes.addPass(WatchTexts());
  });
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle-fast", "1", register_passes};
}
