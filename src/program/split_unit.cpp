#include "program/split_unit.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "symbolize/function_name.h"

namespace heddle::program {
namespace {

constexpr std::string_view kInitialisers = "llvm.global_ctors";
constexpr std::string_view kInitialiser = "_GLOBAL__sub_I_";  // and the name of the text
// Makes a variable before main. The compiler numbers those of a text, and says of all that they are of that.
constexpr std::string_view kVariableInitialiser = "__cxx_global_var_init";
constexpr std::string_view kPureVirtual = "__cxa_pure_virtual";

// What all members see alike: who defines what.
class Batch {
 public:
  Batch(const Unit& of, const std::vector<BatchMember>& parts)
      : unit(of), members(parts), body_(of.symbols.size(), nullptr) {
    for (uint32_t m = 0; m < members.size(); ++m) by_file_.emplace(members[m].file, m);
    for (const Function& function : unit.functions)
      if (function.symbol != kNone) body_[function.symbol] = &function;
    for (uint32_t s = 0; s < unit.symbols.size(); ++s) by_name_.emplace(unit.symbols[s].linkage_name, s);
    for (uint32_t s = 0; s < unit.symbols.size(); ++s) owners_.push_back(find_owner(s));
  }

  // The member that defines it; kNone: whoever uses it has it.
  uint32_t owner(uint32_t symbol) const { return owners_[symbol]; }
  const Function* body(uint32_t symbol) const { return body_[symbol]; }

  static bool is_internal(const Symbol& symbol) { return symbol.linkage_name.ends_with(suffix()); }
  static const std::string& suffix() {
    static const std::string kSuffix = std::string("@") + kBatchFile;
    return kSuffix;
  }

  const Unit& unit;
  const std::vector<BatchMember>& members;

 private:
  uint32_t find_owner(uint32_t index) const {
    const Symbol& symbol = unit.symbols[index];
    if (symbol.stands_for != kNone) return find_owner(symbol.stands_for);
    if (!symbol.is_defined || symbol.is_merged) return kNone;
    if (symbol.linkage_name.starts_with(kVariableInitialiser) && body_[index] != nullptr)
      for (const Node& node : body_[index]->nodes)
        if (auto found = by_file_.find(node.file); found != by_file_.end()) return found->second;
    if (auto found = by_file_.find(symbol.file); found != by_file_.end()) return found->second;
    if (is_internal(symbol)) return kNone;
    if (const uint32_t made_for = what_it_is_about(symbol); made_for != kNone) return find_owner(made_for);
    // Of a file that is no unit but not a header either: its text is included by one.
    for (uint32_t m = 0; m < members.size(); ++m)
      if (members[m].reaches(symbol.file)) return m;
    return 0;
  }

  // Tables and type information stand where the first virtual function of the class does that is not inline
  // (Itanium's ABI, 5.2.3); a thunk with its function, a guard with its variable.
  uint32_t what_it_is_about(const Symbol& symbol) const {
    const std::string_view name = symbol.linkage_name;
    for (const std::string_view kind : {"_ZTV", "_ZTT", "_ZTI", "_ZTS"})
      if (name.starts_with(kind)) return key_function(std::string(name.substr(kind.size())));
    if (name.starts_with("_ZGV")) return find(fmt::format("_Z{}", name.substr(4)));
    if (name.starts_with("_ZTh") || name.starts_with("_ZTv")) {
      // _ZThn16_N1A1fEv, _ZTv0_n24_N1A1fEv
      size_t end = name.find('_', 4);
      if (name[3] == 'v' && end != std::string_view::npos) end = name.find('_', end + 1);
      if (end != std::string_view::npos) return find(fmt::format("_Z{}", name.substr(end + 1)));
    }
    return kNone;
  }

  // Of the class with this mangled name: "N3web6ServerE", "6Server".
  uint32_t key_function(const std::string& class_name) const {
    const uint32_t table = find("_ZTV" + class_name);
    if (table == kNone) return kNone;
    const bool is_nested = class_name.starts_with('N') && class_name.ends_with('E');
    const std::string scope = is_nested ? class_name.substr(1, class_name.size() - 2) : class_name;
    for (const uint32_t s : unit.symbols[table].initial_pointers) {
      const Symbol& member = unit.symbols[s];
      const bool is_own =
          member.linkage_name.starts_with("_ZN" + scope) || member.linkage_name.starts_with("_ZNK" + scope);
      if (is_own && member.is_function && member.is_defined && !member.is_merged) return s;
    }
    return kNone;
  }

  uint32_t find(const std::string& linkage_name) const {
    const auto found = by_name_.find(linkage_name);
    return found == by_name_.end() ? kNone : found->second;
  }

  std::unordered_map<std::string, uint32_t> by_file_;
  std::unordered_map<std::string_view, uint32_t> by_name_;
  std::vector<const Function*> body_;
  std::vector<uint32_t> owners_;
};

// Takes what one member reaches from its own definitions.
class Splitter {
 public:
  Splitter(const Batch& batch, uint32_t member)
      : batch_(batch),
        member_(member),
        symbols_(batch.unit.symbols.size(), kNone),
        types_(batch.unit.types.size(), kNone) {
    result_.file = batch.members[member].file;
  }

  Unit run() {
    for (uint32_t s = 0; s < symbols_.size(); ++s)
      if (batch_.owner(s) == member_) symbol(s);
    for (uint32_t s = 0; s < symbols_.size(); ++s)
      if (batch_.unit.symbols[s].linkage_name.starts_with(kInitialisers)) add_initialisers(s);
    do {
      follow();
    } while (add_classes());
    for (const Function& function : batch_.unit.functions)
      if (function.symbol != kNone && symbols_[function.symbol] != kNone && is_here(function.symbol))
        result_.functions.push_back(copy(function));
    return std::move(result_);
  }

 private:
  bool is_here(uint32_t s) const {
    return batch_.unit.symbols[s].is_defined && (batch_.owner(s) == kNone || batch_.owner(s) == member_);
  }

  // Code that the compiler makes once for a whole text (what runs before main) speaks of every member's
  // variables.
  bool is_others(const Op& op) const {
    return op.kind == OpKind::kCall && op.symbol != kNone && batch_.owner(op.symbol) != kNone &&
           batch_.owner(op.symbol) != member_ && Batch::is_internal(batch_.unit.symbols[op.symbol]);
  }
  bool is_left_out(const Op& op, uint32_t function) const {
    return batch_.owner(function) == kNone && is_others(op);
  }

  void add_initialisers(uint32_t list) {
    std::vector<uint32_t> ours;
    for (uint32_t s : batch_.unit.symbols[list].initial_pointers) {
      const Function* body = batch_.body(s);
      if (body == nullptr || !is_here(s)) continue;
      bool calls_ours = false;
      bool calls_others = false;
      for (const Block& block : body->blocks)
        for (const Op& op : block.ops) {
          if (op.kind != OpKind::kCall || op.symbol == kNone) continue;
          calls_ours = calls_ours || batch_.owner(op.symbol) == member_;
          calls_others = calls_others || is_others(op);
        }
      const bool is_ours = batch_.owner(s) == member_ || calls_ours ||
                           (!calls_others && batch_.members[member_].reaches(body->file));
      if (is_ours) ours.push_back(s);
    }
    if (ours.empty()) return;
    const uint32_t made = symbol(list);
    std::vector<uint32_t> pointers;
    for (uint32_t s : ours) pointers.push_back(symbol(s));
    result_.symbols[made].initial_pointers = std::move(pointers);
  }

  // Its number in the result.
  uint32_t symbol(uint32_t s) {
    if (s == kNone) return kNone;
    if (symbols_[s] != kNone) return symbols_[s];
    symbols_[s] = static_cast<uint32_t>(result_.symbols.size());
    Symbol made = batch_.unit.symbols[s];
    made.initial_pointers.clear();
    made.stands_for = kNone;
    made.type = kNone;
    const uint32_t owner = batch_.owner(s);
    if (Batch::is_internal(made)) {
      const std::string& file = batch_.members[owner == kNone ? member_ : owner].file;
      made.linkage_name.resize(made.linkage_name.size() - Batch::suffix().size());
      if (made.linkage_name.starts_with(kInitialiser)) {
        made.linkage_name = std::string(kInitialiser) + std::filesystem::path(file).filename().string();
        made.name = short_function_name(made.linkage_name);
        made.file = file;
      } else if (made.linkage_name.starts_with(kVariableInitialiser) && owner == member_) {
        made.linkage_name = kVariableInitialiser;
        if (initialisers_ > 0) made.linkage_name += "." + std::to_string(initialisers_);
        ++initialisers_;
        made.file = file;
      }
      made.linkage_name += "@" + file;
    }
    if (!is_here(s)) {  // what a declaration tells
      made.is_defined = false;
      made.file.clear();
      made.line = 0;
    }
    result_.symbols.push_back(std::move(made));
    if (is_here(s)) open_.push_back(s);
    return symbols_[s];
  }

  uint32_t type(uint32_t t) {
    if (t == kNone) return kNone;
    if (types_[t] != kNone) return types_[t];
    types_[t] = static_cast<uint32_t>(result_.types.size());
    result_.types.emplace_back();
    Type made = batch_.unit.types[t];
    for (Field& field : made.fields) field.type = type(field.type);
    for (uint32_t& base : made.bases) base = type(base);
    made.vtable.clear();  // add_classes
    made.other_vtables.clear();
    result_.types[types_[t]] = std::move(made);
    return types_[t];
  }

  void follow() {
    while (!open_.empty()) {
      const uint32_t s = open_.back();
      open_.pop_back();
      const Symbol& from = batch_.unit.symbols[s];
      const uint32_t made_type = type(from.type);
      result_.symbols[symbols_[s]].type = made_type;
      const uint32_t meant = symbol(from.stands_for);
      result_.symbols[symbols_[s]].stands_for = meant;
      if (!from.linkage_name.starts_with(kInitialisers)) {
        std::vector<uint32_t> pointers;
        for (uint32_t target : from.initial_pointers) pointers.push_back(symbol(target));
        result_.symbols[symbols_[s]].initial_pointers = std::move(pointers);
      }
      if (const Function* body = batch_.body(s))
        for (const Block& block : body->blocks)
          for (const Op& op : block.ops) {
            if (is_left_out(op, s)) continue;
            symbol(op.symbol);
            type(op.type);
          }
    }
  }

  // Tables of classes whose objects are made here: even if nothing names the class, its functions are there.
  bool add_classes() {
    bool has_added = false;
    for (uint32_t t = 0; t < types_.size(); ++t) {
      const Type& from = batch_.unit.types[t];
      if (from.vtable.empty() || (types_[t] != kNone && !result_.types[types_[t]].vtable.empty())) continue;
      const auto is_real = [&](uint32_t s) {
        return s != kNone && batch_.unit.symbols[s].linkage_name != kPureVirtual;
      };
      const bool is_made =
          std::ranges::any_of(from.vtable, is_real) &&
          std::ranges::all_of(from.vtable, [&](uint32_t s) { return !is_real(s) || symbols_[s] != kNone; });
      if (!is_made) continue;
      Type& made = result_.types[type(t)];
      for (uint32_t slot : from.vtable) made.vtable.push_back(symbol(slot));
      made.other_vtables = from.other_vtables;
      for (Type::OtherTable& table : made.other_vtables)
        for (uint32_t& slot : table.slots) slot = symbol(slot);
      has_added = true;
    }
    return has_added;
  }

  Function copy(const Function& from) {
    Function made = from;
    made.symbol = symbols_[from.symbol];
    made.name = result_.symbols[made.symbol].name;
    made.file = result_.symbols[made.symbol].file;
    for (Block& block : made.blocks) {
      std::erase_if(block.ops, [&](const Op& op) { return is_left_out(op, from.symbol); });
      for (Op& op : block.ops) {
        op.symbol = symbol(op.symbol);
        op.type = type(op.type);
      }
    }
    return made;
  }

  const Batch& batch_;
  uint32_t member_;
  std::vector<uint32_t> symbols_;  // of the batch → of the result
  std::vector<uint32_t> types_;
  std::vector<uint32_t> open_;  // symbols whose definitions have not been looked at
  size_t initialisers_ = 0;
  Unit result_;
};

}  // namespace

std::vector<Unit> split_unit(const Unit& batch, const std::vector<BatchMember>& members) {
  const Batch known(batch, members);
  std::vector<Unit> units;
  for (uint32_t m = 0; m < members.size(); ++m) units.push_back(Splitter(known, m).run());
  return units;
}

}  // namespace heddle::program
