#include "bitcode_machine.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MemoryBuffer.h>

#include "bitcode_shape.h"
#include "bitcode_values.h"
#include "origin_sets.h"

namespace heddle::program {
namespace {

constexpr uint64_t kMaxSteps = 100'000;
constexpr size_t kStackSize = size_t{4} << 20;

}  // namespace

struct BitcodeMachine::Impl {
  struct Value {
    uint64_t bits = 0;
    Origins origins = 0;
  };
  struct Activation {
    const llvm::Function* function;
    const FunctionShape* shape;
    std::vector<Value> values;
    std::vector<uint64_t> taken;  // by block: when its branch was executed last
    Origins called_by = 0;
    uint64_t branches = 0;
  };

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  Locate locate;
  std::map<NodeId, uint32_t> node_ids;
  std::vector<NodeId> nodes;
  OriginSets origins;
  std::unordered_map<const llvm::DILocation*, uint32_t> by_location;
  std::unordered_map<const llvm::Function*, FunctionShape> shapes;
  std::unordered_map<const llvm::GlobalVariable*, std::vector<char>> globals;
  std::unordered_map<uint64_t, Origins> written_by;  // by byte
  std::vector<char> stack = std::vector<char>(kStackSize);
  size_t stack_top = 0;
  std::vector<void*> heap;
  uint64_t steps = 0;
  // Nodes with what they depend on: a set of origins, or a node.
  std::unordered_set<uint64_t> data;
  std::unordered_set<uint64_t> control;
  std::unordered_set<uint64_t> calls;

  ~Impl() {
    for (void* block : heap) std::free(block);
  }

  // --- places

  uint32_t node_of(const llvm::Instruction& instruction) {
    const llvm::DILocation* location = instruction.getDebugLoc().get();
    if (location == nullptr || location->getLine() == 0) return kNone;
    const auto [known, is_new] = by_location.try_emplace(location, kNone);
    if (is_new) {
      const NodeId id =
          locate(instruction.getFunction()->getName().str(), location->getLine(), location->getColumn());
      if (id.node == kNone) fail("no node at line " + std::to_string(location->getLine()));
      const auto [node, is_new_node] = node_ids.try_emplace(id, static_cast<uint32_t>(nodes.size()));
      if (is_new_node) nodes.push_back(id);
      known->second = node->second;
    }
    return known->second;
  }

  const FunctionShape& shape_of(const llvm::Function& function) {
    const auto [known, is_new] = shapes.try_emplace(&function);
    if (is_new)
      known->second = shape_of_function(
          function, [this](const llvm::Instruction& instruction) { return node_of(instruction); });
    return known->second;
  }

  void enter(Activation& at, uint32_t block) {
    if (at.shape->is_endless) return;
    const FunctionShape::Block& it = at.shape->blocks[block];
    uint32_t decider = kNone;
    for (uint32_t candidate : it.deciders)
      if (at.taken[candidate] > 0 && (decider == kNone || at.taken[candidate] > at.taken[decider]))
        decider = candidate;
    for (uint32_t node : it.nodes) {
      if (decider == kNone)
        calls.insert(uint64_t{node} << 32 | at.called_by);
      else if (const uint32_t on = at.shape->blocks[decider].last_node; on != kNone)
        control.insert(uint64_t{node} << 32 | on);
    }
  }

  // --- memory

  void note_write(uint64_t address, uint64_t size, Origins by) {
    for (uint64_t i = 0; i < size; ++i) written_by[address + i] = by;
  }
  Origins writers(uint64_t address, uint64_t size) {
    Origins found = 0;
    for (uint64_t i = 0; i < size; ++i)
      if (auto byte = written_by.find(address + i); byte != written_by.end())
        origins.add(found, byte->second);
    return found;
  }
  uint64_t push(uint64_t size) {
    const size_t place = (stack_top + 15) / 16 * 16;
    if (place + size > stack.size()) fail("stack overflow");
    stack_top = place + size;
    std::memset(stack.data() + place, 0, size);
    note_write(address_of(stack.data() + place), size, 0);
    return address_of(stack.data() + place);
  }
  uint64_t allocate(uint64_t size) {
    void* block = std::calloc(1, std::max<uint64_t>(size, 1));
    heap.push_back(block);
    sizes[address_of(block)] = size;
    note_write(address_of(block), size, 0);
    return address_of(block);
  }
  uint64_t load(uint64_t address, const llvm::Type* type) {
    uint64_t bits = 0;
    std::memcpy(&bits, pointer<char>(address),
                module->getDataLayout().getTypeStoreSize(const_cast<llvm::Type*>(type)));
    return bits;
  }
  void store(uint64_t address, uint64_t bits, llvm::Type* type) {
    std::memcpy(pointer<char>(address), &bits, module->getDataLayout().getTypeStoreSize(type));
  }

  // --- constants

  uint64_t global_address(const llvm::GlobalVariable& variable) {
    const auto [known, is_new] = globals.try_emplace(&variable);
    if (is_new) {
      std::vector<char>& bytes = known->second;
      bytes.resize(std::max<uint64_t>(module->getDataLayout().getTypeAllocSize(variable.getValueType()), 1));
      const uint64_t address = address_of(bytes.data());
      if (variable.hasInitializer()) initialize(address, variable.getInitializer());
      return address;
    }
    return address_of(known->second.data());
  }

  void initialize(uint64_t to, const llvm::Constant* value) {
    const llvm::DataLayout& layout = module->getDataLayout();
    if (value->isNullValue() || llvm::isa<llvm::UndefValue>(value)) return;
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(value->getType())) {
      for (unsigned i = 0; i < structure->getNumElements(); ++i)
        initialize(to + layout.getStructLayout(structure)->getElementOffset(i),
                   value->getAggregateElement(i));
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(value->getType())) {
      for (unsigned i = 0; i < array->getNumElements(); ++i)
        initialize(to + i * layout.getTypeAllocSize(array->getElementType()), value->getAggregateElement(i));
    } else {
      store(to, constant(value), value->getType());
    }
  }

  uint64_t constant(const llvm::Constant* value) {
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value)) return number->getZExtValue();
    if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(value))
      return number->getValueAPF().bitcastToAPInt().getZExtValue();
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value)) return global_address(*variable);
    if (llvm::isa<llvm::Function>(value)) return address_of(value);
    if (value->isNullValue() || llvm::isa<llvm::UndefValue>(value)) return 0;
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(value)) {
      llvm::APInt offset(64, 0);
      if (!gep->accumulateConstantOffset(module->getDataLayout(), offset)) fail("constant address");
      return constant(llvm::cast<llvm::Constant>(gep->getPointerOperand())) + offset.getZExtValue();
    }
    if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value);
        expression && expression->isCast())
      return masked(constant(expression->getOperand(0)), width_of(expression->getType()));
    fail("constant");
  }

  // --- execution

  Value call(const llvm::Function& function, const std::vector<Value>& arguments, Origins called_by) {
    const FunctionShape& shape = shape_of(function);
    Activation at{&function, &shape, std::vector<Value>(shape.slots.size()),
                  std::vector<uint64_t>(shape.blocks.size()), called_by};
    std::copy(arguments.begin(), arguments.begin() + static_cast<long>(function.arg_size()),
              at.values.begin());
    const size_t stack_before = stack_top;
    const llvm::BasicBlock* from = nullptr;
    const llvm::BasicBlock* block = &function.getEntryBlock();
    Value returned;
    while (block != nullptr) {
      const uint32_t id = shape.block_ids.at(block);
      enter(at, id);
      const llvm::BasicBlock* next = nullptr;
      for (const llvm::Instruction& instruction : *block) {
        if (++steps > kMaxSteps) fail("too many steps");
        next = execute(at, instruction, from, returned);
      }
      if (block->getTerminator()->getNumSuccessors() > 1) at.taken[id] = ++at.branches;
      from = block;
      block = next;
    }
    stack_top = stack_before;
    return returned;
  }

  // The block that comes next, if the instruction ends one.
  const llvm::BasicBlock* execute(Activation& at, const llvm::Instruction& instruction,
                                  const llvm::BasicBlock* from, Value& returned) {
    const uint32_t node = node_of(instruction);
    Origins used = 0;
    auto get = [&](const llvm::Value* value) {
      if (const auto* known = llvm::dyn_cast<llvm::Constant>(value)) return constant(known);
      const Value& found = at.values[at.shape->slots.at(value)];
      origins.add(used, found.origins);
      return found.bits;
    };
    // Who stands for what this instruction computes or writes.
    auto self = [&] { return node != kNone ? origins.one(node) : used; };
    const llvm::BasicBlock* next = nullptr;
    uint64_t result = 0;
    if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      result = push(local->getAllocationSize(module->getDataLayout())->getFixedValue());
    } else if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const uint64_t place = get(read->getPointerOperand());
      origins.add(used, writers(place, module->getDataLayout().getTypeStoreSize(read->getType())));
      result = masked(load(place, read->getType()), width_of(read->getType()));
    } else if (const auto* write = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      const uint64_t place = get(write->getPointerOperand());
      llvm::Type* type = write->getValueOperand()->getType();
      store(place, get(write->getValueOperand()), type);
      note_write(place, module->getDataLayout().getTypeStoreSize(type), self());
    } else if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&instruction)) {
      result = get(gep->getPointerOperand());
      for (auto index = llvm::gep_type_begin(gep); index != llvm::gep_type_end(gep); ++index) {
        const uint64_t number = get(index.getOperand());
        const llvm::DataLayout& layout = module->getDataLayout();
        if (llvm::StructType* structure = index.getStructTypeOrNull())
          result += layout.getStructLayout(structure)->getElementOffset(static_cast<unsigned>(number));
        else
          result += static_cast<uint64_t>(extended(number, width_of(index.getOperand()->getType()))) *
                    index.getSequentialElementStride(layout).getFixedValue();
      }
    } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      result = get(phi->getIncomingValueForBlock(from));
    } else if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
      const bool is_true = get(choice->getCondition()) & 1;
      result = get(is_true ? choice->getTrueValue() : choice->getFalseValue());
    } else if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
      const bool is_second = branch->isConditional() && (get(branch->getCondition()) & 1) == 0;
      next = branch->getSuccessor(is_second ? 1 : 0);
    } else if (const auto* cases = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
      const uint64_t number = get(cases->getCondition());
      next = cases->getDefaultDest();
      for (const auto& option : cases->cases())
        if (option.getCaseValue()->getZExtValue() == number) next = option.getCaseSuccessor();
    } else if (const auto* back = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
      if (back->getReturnValue() != nullptr) returned.bits = get(back->getReturnValue());
      returned.origins = self();
    } else if (const auto* callee = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      result = execute_call(at, *callee, node, used);
    } else {
      result = compute(instruction, get);
    }
    if (node != kNone && used != 0) data.insert(uint64_t{node} << 32 | used);
    if (!instruction.getType()->isVoidTy())
      at.values[at.shape->slots.at(&instruction)] = {masked(result, width_of(instruction.getType())), self()};
    return next;
  }

  uint64_t execute_call(Activation& at, const llvm::CallBase& callee, uint32_t node, Origins& used) {
    std::vector<Value> arguments;
    auto value = [&](const llvm::Value* from) -> Value {
      if (const auto* known = llvm::dyn_cast<llvm::Constant>(from)) return {constant(known), 0};
      const Value& found = at.values[at.shape->slots.at(from)];
      origins.add(used, found.origins);
      return found;
    };
    const Origins self = node != kNone ? origins.one(node) : 0;
    const auto* known = llvm::dyn_cast<llvm::Function>(callee.getCalledOperand());
    if (known != nullptr && known->getName().starts_with("llvm.dbg")) return 0;
    for (const llvm::Use& argument : callee.args()) arguments.push_back(value(argument.get()));
    const llvm::Function* meant =
        known != nullptr ? known : pointer<const llvm::Function>(value(callee.getCalledOperand()).bits);
    if (meant->isDeclaration()) return library(meant->getName(), arguments, self, used);
    for (unsigned i = 0; i < callee.arg_size(); ++i) {
      if (!callee.isByValArgument(i)) continue;
      const uint64_t size = module->getDataLayout().getTypeAllocSize(callee.getParamByValType(i));
      const uint64_t copy = push(size);
      move(copy, arguments[i].bits, size, self, used);
      arguments[i] = {copy, self};
    }
    const Value result = call(*meant, arguments, self);
    origins.add(used, result.origins);
    return result.bits;
  }

  void move(uint64_t to, uint64_t from, uint64_t size, Origins self, Origins& used) {
    origins.add(used, writers(from, size));
    std::memmove(pointer<char>(to), pointer<char>(from), size);
    note_write(to, size, self);
  }

  uint64_t library(llvm::StringRef name, const std::vector<Value>& arguments, Origins self, Origins& used) {
    auto bits = [&](size_t i) { return arguments.at(i).bits; };
    auto reads = [&](uint64_t at, uint64_t size) { origins.add(used, writers(at, size)); };
    if (name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove")) {
      move(bits(0), bits(1), bits(2), self, used);
      return 0;
    }
    if (name.starts_with("llvm.memset") || name == "memset") {
      std::memset(pointer<char>(bits(0)), static_cast<int>(bits(1)), bits(2));
      note_write(bits(0), bits(2), self);
      return bits(0);
    }
    if (name.starts_with("llvm.lifetime") || name == "free") return 0;
    if (name == "malloc") return allocate(bits(0));
    if (name == "calloc") {
      const uint64_t block = allocate(bits(0) * bits(1));
      note_write(block, bits(0) * bits(1), self);
      return block;
    }
    if (name == "realloc") {  // of blocks that grow
      const uint64_t block = allocate(bits(1));
      move(block, bits(0), std::min<uint64_t>(malloc_size(bits(0)), bits(1)), self, used);
      return block;
    }
    if (name == "memcmp") {
      reads(bits(0), bits(2));
      reads(bits(1), bits(2));
      const int order = std::memcmp(pointer<char>(bits(0)), pointer<char>(bits(1)), bits(2));
      return masked(static_cast<uint64_t>(static_cast<int64_t>((order > 0) - (order < 0))), 32);
    }
    if (name == "qsort") {
      sort(bits(0), bits(1), bits(2), *pointer<const llvm::Function>(bits(3)), self, used);
      return 0;
    }
    if (name == "printf") return 0;
    fail("library function " + name.str());
  }

  std::unordered_map<uint64_t, uint64_t> sizes;
  uint64_t malloc_size(uint64_t block) const {
    auto known = sizes.find(block);
    return known == sizes.end() ? 0 : known->second;
  }

  // Inserts one element after the other.
  void sort(uint64_t array, uint64_t count, uint64_t size, const llvm::Function& compare, Origins self,
            Origins& used) {
    std::vector<char> held(size);
    origins.add(used, writers(array, count * size));
    for (uint64_t i = 1; i < count; ++i) {
      for (uint64_t k = i; k > 0; --k) {
        char* left = pointer<char>(array + (k - 1) * size);
        char* right = pointer<char>(array + k * size);
        const Value order = call(compare, {{address_of(left), self}, {address_of(right), self}}, self);
        origins.add(used, order.origins);
        if (extended(order.bits, 32) <= 0) break;
        std::memcpy(held.data(), left, size);
        std::memcpy(left, right, size);
        std::memcpy(right, held.data(), size);
        note_write(address_of(left), 2 * size, self);
      }
    }
  }
};

BitcodeMachine::BitcodeMachine(const std::filesystem::path& bitcode, Locate locate)
    : impl_(std::make_unique<Impl>()) {
  auto buffer = llvm::MemoryBuffer::getFile(bitcode.string());
  if (!buffer) fail("cannot read " + bitcode.string());
  llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(**buffer, impl_->context);
  if (!module) fail(llvm::toString(module.takeError()));
  impl_->module = std::move(*module);
  impl_->locate = std::move(locate);
}

BitcodeMachine::~BitcodeMachine() = default;

uint64_t BitcodeMachine::run(const std::string& function) {
  const llvm::Function* main = impl_->module->getFunction(function);
  if (main == nullptr) fail("no function " + function);
  impl_->data.clear();
  impl_->control.clear();
  impl_->calls.clear();
  impl_->written_by.clear();
  impl_->steps = 0;
  impl_->stack_top = 0;
  return impl_->call(*main, {}, 0).bits;
}

BitcodeMachine::Dependences BitcodeMachine::seen() const {
  Dependences result;
  auto expand = [&](const std::unordered_set<uint64_t>& from, std::set<Seen>& into) {
    for (uint64_t pair : from)
      for (uint32_t on : impl_->origins.members(static_cast<Origins>(pair)))
        // What a statement computes for itself is no dependence.
        if (on != pair >> 32) into.insert({impl_->nodes[pair >> 32], impl_->nodes[on]});
  };
  expand(impl_->data, result.data);
  expand(impl_->calls, result.calls);
  for (uint64_t pair : impl_->control)
    result.control.insert({impl_->nodes[pair >> 32], impl_->nodes[static_cast<uint32_t>(pair)]});
  return result;
}

}  // namespace heddle::program
