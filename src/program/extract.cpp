#include "program/extract.h"

#include <set>

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>

#include "program/extract_unit.h"
#include "symbolize/function_name.h"

namespace heddle::program {
namespace {

// Units of one program share most of their names (the standard library), and taking one apart is not cheap.
const std::string& readable_name(const std::string& linkage_name) {
  thread_local std::unordered_map<std::string, std::string> known;
  auto [entry, is_new] = known.try_emplace(linkage_name);
  if (is_new) entry->second = short_function_name(linkage_name);
  return entry->second;
}

const llvm::DIGlobalVariable* description_of(const llvm::GlobalVariable& variable) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> descriptions;
  variable.getDebugInfo(descriptions);
  return descriptions.empty() ? nullptr : descriptions.front()->getVariable();
}

void collect_pointers(UnitBuilder& builder, const llvm::Constant* value, std::set<uint32_t>& found,
                      std::set<const llvm::Constant*>& seen) {
  if (!seen.insert(value).second) return;
  if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(value)) {
    found.insert(builder.symbol(global));
    return;
  }
  for (const llvm::Use& part : value->operands())
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(part.get()))
      collect_pointers(builder, constant, found, seen);
}

// A table of Itanium's ABI, 2.5.2: offsets, type information, then the functions, to which the object points.
void read_table(UnitBuilder& builder, const llvm::ConstantArray* table, uint64_t& offset_of_base,
                std::vector<uint32_t>& slots) {
  unsigned begin = 2;
  for (unsigned i = 1; i < table->getNumOperands(); ++i) {
    const llvm::Value* entry = table->getOperand(i)->stripPointerCasts();
    const bool is_type_info = llvm::isa<llvm::GlobalVariable>(entry) && entry->getName().starts_with("_ZTI");
    if (!is_type_info) continue;
    begin = i + 1;
    break;
  }
  if (begin >= 2 && begin - 2 < table->getNumOperands()) {
    const llvm::Value* to_top = table->getOperand(begin - 2);
    if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(to_top)) to_top = cast->getOperand(0);
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(to_top))
      offset_of_base = static_cast<uint64_t>(-number->getSExtValue());
  }
  for (unsigned i = begin; i < table->getNumOperands(); ++i) {
    const auto* entry = llvm::dyn_cast<llvm::GlobalValue>(table->getOperand(i)->stripPointerCasts());
    slots.push_back(entry == nullptr ? kNone : builder.symbol(entry));
  }
}

void read_vtable(UnitBuilder& builder, const llvm::GlobalVariable& variable) {
  const std::string identifier = "_ZTS" + variable.getName().substr(4).str();
  std::string name = full_function_name(variable.getName());
  constexpr std::string_view kPrefix = "vtable for ";
  if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
  uint32_t type = builder.types.find(identifier, name);
  if (type == kNone) {
    type = static_cast<uint32_t>(builder.unit.types.size());
    builder.unit.types.emplace_back().name = name;
  }
  if (!builder.unit.types[type].vtable.empty()) return;
  std::vector<uint32_t> own;
  std::vector<Type::OtherTable> others;
  for (unsigned i = 0; i < variable.getInitializer()->getNumOperands(); ++i) {
    const auto* table = llvm::dyn_cast<llvm::ConstantArray>(variable.getInitializer()->getOperand(i));
    if (table == nullptr) continue;
    uint64_t offset = 0;
    std::vector<uint32_t> slots;
    read_table(builder, table, offset, slots);
    if (i == 0)
      own = std::move(slots);
    else
      others.push_back({offset, std::move(slots)});
  }
  builder.unit.types[type].vtable = std::move(own);
  builder.unit.types[type].other_vtables = std::move(others);
}

void read_variable(UnitBuilder& builder, const llvm::GlobalVariable& variable) {
  const uint32_t index = builder.symbol(&variable);
  if (variable.hasInitializer()) {
    std::set<uint32_t> found;
    std::set<const llvm::Constant*> seen;
    collect_pointers(builder, variable.getInitializer(), found, seen);
    builder.unit.symbols[index].initial_pointers.assign(found.begin(), found.end());
    if (variable.getName().starts_with("_ZTV")) read_vtable(builder, variable);
  }
  if (const llvm::DIGlobalVariable* described = description_of(variable)) {
    const uint32_t type = builder.types.index_of(described->getType());
    Symbol& symbol = builder.unit.symbols[index];
    symbol.type = type;
    if (described->getFile() != nullptr) symbol.file = builder.file_name(described->getFile());
    symbol.line = described->getLine();
  }
}

// The reader verifies every function to find debug information of older compilers, which takes as long as all
// the rest. What we read has just been written by clang of the same version.
void trust_debug_information() {
  static const bool done = [] {
    auto options = llvm::cl::getRegisteredOptions();
    auto option = options.find("disable-auto-upgrade-debug-info");
    if (option != options.end()) static_cast<llvm::cl::opt<bool>*>(option->second)->setValue(true);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace

uint32_t UnitBuilder::symbol(const llvm::GlobalValue* value) {
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(value)) {
    const auto* meant = llvm::dyn_cast<llvm::GlobalValue>(alias->getAliasee()->stripPointerCastsAndAliases());
    // A declaration is what remains of an alias that another unit resolves.
    if (meant != nullptr && meant != value) return symbol(meant);
  }
  auto [known, is_new] = symbols_.try_emplace(value, static_cast<uint32_t>(unit.symbols.size()));
  if (!is_new) return known->second;

  Symbol made;
  made.linkage_name = value->getName().str();
  made.name = readable_name(made.linkage_name);
  // The names of the compiler's lists (llvm.global_ctors) are every unit's own, too.
  if (value->hasLocalLinkage() || value->hasAppendingLinkage()) made.linkage_name += "@" + unit.file;
  made.is_defined = !value->isDeclaration();
  // Bodies that are there for inlining only are those of a library.
  made.is_merged =
      value->hasLinkOnceLinkage() || value->hasWeakLinkage() || value->hasAvailableExternallyLinkage();
  made.is_thread_local = value->isThreadLocal();
  if (const auto* function = llvm::dyn_cast<llvm::Function>(value)) {
    made.is_function = true;
    if (const llvm::DISubprogram* described = function->getSubprogram()) {
      made.file = file_name(described->getFile());
      made.line = described->getLine();
    }
  } else if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
    made.is_constant = variable->isConstant();
    if (variable->getValueType()->isSized())
      made.size = module.getDataLayout().getTypeAllocSize(variable->getValueType());
    const llvm::DIGlobalVariable* described = description_of(*variable);
    if (described != nullptr && variable->hasLocalLinkage()) made.name = described->getName().str();
  }
  unit.symbols.push_back(std::move(made));
  return known->second;
}

const std::string& UnitBuilder::file_name(const llvm::DIFile* file) {
  auto [known, is_new] = files_.try_emplace(file);
  if (!is_new || file == nullptr) return known->second;
  std::filesystem::path path = file->getFilename().str();
  if (path.is_relative()) path = std::filesystem::path(file->getDirectory().str()) / path;
  path = path.lexically_normal();
  const std::filesystem::path relative = path.lexically_relative(options.source.lexically_normal());
  const bool is_inside = !relative.empty() && *relative.begin() != "..";
  known->second = is_inside ? relative.string() : path.string();
  return known->second;
}

Expected<Unit> extract_unit(const std::filesystem::path& bitcode, const std::string& file,
                            const ExtractOptions& options) {
  auto buffer = llvm::MemoryBuffer::getFile(bitcode.string());
  if (!buffer)
    return internal_error(fmt::format("cannot read {}: {}", bitcode.string(), buffer.getError().message()));
  trust_debug_information();
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(**buffer, context);
  if (!module)
    return internal_error(
        fmt::format("{} is no bitcode: {}", bitcode.string(), llvm::toString(module.takeError())));
  if (!(*module)->IsNewDbgInfoFormat) (*module)->convertToNewDbgValues();

  Unit unit;
  unit.file = file;
  UnitBuilder builder(**module, unit, options);
  // Tables are joined with their classes by name: whoever makes an object has a function of its class.
  for (const llvm::Function& function : (*module)->functions())
    if (const llvm::DISubprogram* described = function.getSubprogram())
      if (const auto* owner = llvm::dyn_cast_or_null<llvm::DICompositeType>(described->getScope());
          owner != nullptr && owner->getVTableHolder() != nullptr)
        builder.types.remember(owner);
  for (const llvm::GlobalVariable& variable : (*module)->globals()) read_variable(builder, variable);
  for (const llvm::Function& function : (*module)->functions()) {
    if (function.isIntrinsic()) continue;
    if (function.isDeclaration()) continue;
    unit.functions.push_back(extract_function(builder, function));
  }
  // Other units may use the other name.
  for (const llvm::GlobalAlias& alias : (*module)->aliases()) {
    if (alias.hasLocalLinkage()) continue;
    Symbol other;
    other.stands_for = builder.symbol(&alias);
    const Symbol& meant = unit.symbols[other.stands_for];
    other.linkage_name = alias.getName().str();
    if (other.linkage_name == meant.linkage_name) continue;
    other.name = readable_name(other.linkage_name);
    other.is_function = meant.is_function;
    other.is_defined = meant.is_defined;
    other.is_merged = meant.is_merged;
    unit.symbols.push_back(std::move(other));
  }
  return unit;
}

}  // namespace heddle::program
