#include "program/facts_file.h"

#include <cstring>

#include <fmt/format.h>
#include <zstd.h>

#include "program/facts_bytes.h"
#include "program/facts_validate.h"

namespace heddle::program {
namespace {

constexpr std::string_view kMagic = "HEDFACTS";
// Quick to write; a higher level makes files of a unit a fifth smaller and costs several times as much.
constexpr int kCompression = 1;
// More than any unit needs: a damaged length must not make us allocate the machine's memory.
constexpr uint64_t kMaxSize = uint64_t{4} << 30;

// --- the parts of a unit, each with a writer and a reader that mirror each other

void write_range(FactsWriter& out, const SourceRange& range) {
  out.number(range.first_line);
  out.number(range.first_column);
  out.signed_number(int64_t{range.last_line} - range.first_line);
  out.number(range.last_column);
}
SourceRange read_range(FactsReader& in) {
  SourceRange range;
  range.first_line = in.small_number();
  range.first_column = in.small_number();
  range.last_line = static_cast<uint32_t>(range.first_line + in.signed_number());
  range.last_column = in.small_number();
  return range;
}

// Which members differ from their defaults, so that most operations take few bytes.
enum OpMember : uint32_t {
  kHasOrder = 1,
  kHasSymbol = 2,
  kHasCallee = 4,
  kHasSlot = 8,
  kHasType = 16,
  kHasOffset = 32,
  kHasSize = 64,
  kHasName = 128,
};

void write_op(FactsWriter& out, const Op& op) {
  const uint32_t members = (op.order != MemoryOrder::kPlain ? kHasOrder : 0u) |
                           (op.symbol != kNone ? kHasSymbol : 0u) | (op.callee != kNone ? kHasCallee : 0u) |
                           (op.vtable_slot != kNone ? kHasSlot : 0u) | (op.type != kNone ? kHasType : 0u) |
                           (op.offset != 0 ? kHasOffset : 0u) | (op.size != 0 ? kHasSize : 0u) |
                           (!op.name.empty() ? kHasName : 0u);
  out.number(static_cast<uint64_t>(op.kind) | uint64_t{members} << 5);
  out.index(op.node);
  out.index(op.result);
  out.list(op.operands, [&](ValueId value) { out.index(value); });
  if (members & kHasOrder) out.number(static_cast<uint64_t>(op.order));
  if (members & kHasSymbol) out.number(op.symbol);
  if (members & kHasCallee) out.number(op.callee);
  if (members & kHasSlot) out.number(op.vtable_slot);
  if (members & kHasType) out.number(op.type);
  if (members & kHasOffset) out.signed_number(op.offset);
  if (members & kHasSize) out.number(op.size);
  if (members & kHasName) out.text(op.name);
}
Op read_op(FactsReader& in) {
  Op op;
  const uint64_t head = in.number();
  const uint64_t kind = head & 31;
  const uint64_t members = head >> 5;
  if (kind > static_cast<uint64_t>(OpKind::kUnknown) || members > 255) in.fail();
  op.kind = static_cast<OpKind>(kind);
  op.node = in.index();
  op.result = in.index();
  in.list(op.operands, [&] { return in.index(); });
  if (members & kHasOrder) {
    const uint64_t order = in.number();
    if (order > static_cast<uint64_t>(MemoryOrder::kSeqCst)) in.fail();
    op.order = static_cast<MemoryOrder>(order);
  }
  if (members & kHasSymbol) op.symbol = in.small_number();
  if (members & kHasCallee) op.callee = in.small_number();
  if (members & kHasSlot) op.vtable_slot = in.small_number();
  if (members & kHasType) op.type = in.small_number();
  if (members & kHasOffset) op.offset = in.signed_number();
  if (members & kHasSize) op.size = in.number();
  if (members & kHasName) op.name = in.text();
  return op;
}

void write_body(FactsWriter& out, const Function& function) {
  out.text(function.name);
  out.text(function.file);
  out.number(function.line);
  out.number(function.parameters);
  out.list(function.parameter_names, [&](const std::string& name) { out.text(name); });
  out.list(function.own_parameters, [&](uint32_t parameter) { out.number(parameter); });
  out.number(function.values);
  out.list(function.nodes, [&](const Node& node) {
    out.text(node.file);
    write_range(out, node.range);
    out.text(node.text);
    out.text(node.normal);
  });
  out.list(function.blocks, [&](const Block& block) {
    out.list(block.ops, [&](const Op& op) { write_op(out, op); });
    out.list(block.edges, [&](const Edge& edge) {
      out.number(edge.to);
      out.text(edge.label);
      out.number(edge.exceptional);
    });
  });
  out.number(function.is_variadic);
  out.text(function.degraded);
}
Function read_body(FactsReader& in, uint32_t symbol) {
  Function function;
  function.symbol = symbol;
  function.name = in.text();
  function.file = in.text();
  function.line = in.small_number();
  function.parameters = in.small_number();
  in.list(function.parameter_names, [&] { return in.text(); });
  in.list(function.own_parameters, [&] { return in.small_number(); });
  function.values = in.small_number();
  in.list(function.nodes, [&] {
    Node node;
    node.file = in.text();
    node.range = read_range(in);
    node.text = in.text();
    node.normal = in.text();
    return node;
  });
  in.list(function.blocks, [&] {
    Block block;
    in.list(block.ops, [&] { return read_op(in); });
    in.list(block.edges, [&] {
      Edge edge;
      edge.to = in.small_number();
      edge.label = in.text();
      edge.exceptional = in.flag();
      return edge;
    });
    return block;
  });
  function.is_variadic = in.flag();
  function.degraded = in.text();
  return function;
}

void write_symbol(FactsWriter& out, const Symbol& symbol) {
  out.text(symbol.linkage_name);
  out.text(symbol.name);
  out.text(symbol.file);
  out.number(symbol.line);
  out.number(symbol.is_function | symbol.is_defined << 1 | symbol.is_thread_local << 2 |
             symbol.is_constant << 3 | symbol.is_merged << 4);
  out.index(symbol.stands_for);
  out.index(symbol.type);
  out.number(symbol.size);
  out.list(symbol.initial_pointers, [&](uint32_t target) { out.index(target); });
}
Symbol read_symbol(FactsReader& in) {
  Symbol symbol;
  symbol.linkage_name = in.text();
  symbol.name = in.text();
  symbol.file = in.text();
  symbol.line = in.small_number();
  const uint64_t flags = in.number();
  symbol.is_function = flags & 1;
  symbol.is_defined = flags & 2;
  symbol.is_thread_local = flags & 4;
  symbol.is_constant = flags & 8;
  symbol.is_merged = flags & 16;
  symbol.stands_for = in.index();
  symbol.type = in.index();
  symbol.size = in.number();
  in.list(symbol.initial_pointers, [&] { return in.index(); });
  return symbol;
}

void write_type(FactsWriter& out, const Type& type) {
  out.text(type.name);
  out.number(type.size);
  out.list(type.fields, [&](const Field& field) {
    out.text(field.name);
    out.number(field.offset);
    out.number(field.size);
    out.index(field.type);
  });
  out.list(type.bases, [&](uint32_t base) { out.index(base); });
  out.list(type.vtable, [&](uint32_t symbol) { out.index(symbol); });
  out.list(type.other_vtables, [&](const Type::OtherTable& table) {
    out.number(table.offset);
    out.list(table.slots, [&](uint32_t symbol) { out.index(symbol); });
  });
  out.number(type.is_atomic);
}
Type read_type(FactsReader& in) {
  Type type;
  type.name = in.text();
  type.size = in.number();
  in.list(type.fields, [&] {
    Field field;
    field.name = in.text();
    field.offset = in.number();
    field.size = in.number();
    field.type = in.index();
    return field;
  });
  in.list(type.bases, [&] { return in.index(); });
  in.list(type.vtable, [&] { return in.index(); });
  in.list(type.other_vtables, [&] {
    Type::OtherTable table;
    table.offset = in.number();
    in.list(table.slots, [&] { return in.index(); });
    return table;
  });
  type.is_atomic = in.flag();
  return type;
}

tl::unexpected<Error> damaged() {
  return internal_error("the facts of a unit are damaged");
}

Expected<std::string> decompress(std::string_view bytes) {
  if (bytes.size() < kMagic.size() + sizeof(uint32_t) || !bytes.starts_with(kMagic)) return damaged();
  uint32_t version = 0;
  std::memcpy(&version, bytes.data() + kMagic.size(), sizeof version);
  if (version != kFactsVersion)
    return internal_error(
        fmt::format("the facts of a unit are of version {}, not {}", version, kFactsVersion));
  bytes.remove_prefix(kMagic.size() + sizeof version);
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMaxSize) return damaged();
  std::string payload(size, '\0');
  const size_t done = ZSTD_decompress(payload.data(), payload.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(done) || done != payload.size()) return damaged();
  return payload;
}

}  // namespace

std::string encode_facts(const Unit& unit) {
  FactsWriter out;
  std::string bodies;
  std::vector<size_t> lengths;
  for (const Function& function : unit.functions) {
    write_body(out, function);
    lengths.push_back(out.size());
    bodies += out.take();
  }
  out.text(unit.file);
  out.text(unit.degraded);
  out.list(unit.symbols, [&](const Symbol& symbol) { write_symbol(out, symbol); });
  out.list(unit.types, [&](const Type& type) { write_type(out, type); });
  out.number(unit.functions.size());
  for (size_t i = 0; i < lengths.size(); ++i) {
    out.index(unit.functions[i].symbol);
    out.number(lengths[i]);
  }
  const std::string tables = out.take();

  out.list(out.texts(), [&](const std::string* text) {
    out.number(text->size());
    out.append(*text);
  });
  std::string payload = out.take() + tables + bodies;

  std::string result(kMagic);
  result.append(reinterpret_cast<const char*>(&kFactsVersion), sizeof kFactsVersion);
  const size_t head = result.size();
  result.resize(head + ZSTD_compressBound(payload.size()));
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kCompression);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  const size_t size =
      ZSTD_compress2(context, result.data() + head, result.size() - head, payload.data(), payload.size());
  ZSTD_freeCCtx(context);
  result.resize(head + size);
  return result;
}

Expected<Unit> decode_facts(std::string_view bytes, const WantsFunction& wants,
                            std::vector<uint32_t>* left_out) {
  const Expected<std::string> payload = decompress(bytes);
  if (!payload) return tl::unexpected(payload.error());
  FactsReader in(*payload);
  in.read_texts();
  Unit unit;
  unit.file = in.text();
  unit.degraded = in.text();
  in.list(unit.symbols, [&] { return read_symbol(in); });
  in.list(unit.types, [&] { return read_type(in); });
  std::vector<std::pair<uint32_t, uint64_t>> directory;
  in.list(directory, [&] {
    const uint32_t symbol = in.index();
    return std::pair{symbol, in.number()};
  });
  for (const auto& [symbol, length] : directory) {
    if (symbol != kNone && symbol >= unit.symbols.size()) return damaged();
    const size_t end = in.left() - std::min<size_t>(length, in.left());
    if (symbol != kNone && wants && !wants(unit.symbols[symbol])) {
      in.bytes(length);
      if (left_out != nullptr) left_out->push_back(symbol);
      continue;
    }
    unit.functions.push_back(read_body(in, symbol));
    if (in.left() != end) return damaged();
  }
  if (in.failed() || in.left() != 0 || !has_valid_indices(unit)) return damaged();
  return unit;
}

}  // namespace heddle::program
