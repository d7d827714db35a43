// What instrumented code calls (pass/runtime_hooks.h declares the same): only when an operand has an
// expression, or memory may have one, or for a copy of memory. Operands come as a handle and the concrete
// value, extended by zeros.
#include <stdint.h>
#include <string.h>

#include "interact/concolic/runtime/composites.h"
#include "interact/concolic/runtime/expressions.h"
#include "interact/concolic/runtime/shadow_memory.h"

using namespace heddle::concolic;

namespace {

uint32_t bounded(uint32_t handle) {
  return handle != 0 && is_constant(handle) ? 0 : handle;
}

// The program goes on with this very value: a branch whose other side is any other value.
void pin(const SiteRecord* site, uint32_t width, uint32_t handle, uint64_t value) {
  handle = trusted(width, handle, value);
  if (handle == 0) return;
  const uint32_t is_same = make_binary(Operation::kEq, handle, make_constant(width, value));
  if (is_same != 0 && !is_constant(is_same)) record_event(site, SiteKind::kAddress, is_same, true, value);
}

uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

// A copy of the object in the recording; the same as the last one if it has not changed since.
uint32_t make_table(const void* object, uint32_t size) {
  ArenaHeader& header = *recording.header;
  for (uint32_t i = header.table_count; i-- > 0;) {
    const Table& table = recording.tables[i];
    if (table.size == size && memcmp(recording.table_bytes + table.data, object, size) == 0) return i;
  }
  if (header.table_count == header.table_capacity ||
      header.table_byte_capacity - header.table_byte_count < size) {
    stop_recording(Stop::kTables);
    return 0;
  }
  memcpy(recording.table_bytes + header.table_byte_count, object, size);
  recording.tables[header.table_count] = {header.table_byte_count, size, 0};
  header.table_byte_count += size;
  return header.table_count++;
}

constexpr uint64_t kLargestTable = 4096;

}  // namespace

extern "C" {

uint32_t heddle_concolic_binary(uint32_t operation, uint32_t width, uint32_t a, uint64_t a_value, uint32_t b,
                                uint64_t b_value) {
  if (!is_recording) return 0;
  const auto what = static_cast<Operation>(operation);
  // Its result is not defined, and need not be the one of SMT-LIB.
  const bool is_shift = what == Operation::kShl || what == Operation::kLShr || what == Operation::kAShr;
  if (is_shift && (b_value & width_mask(width)) >= width) return 0;
  return bounded(make_binary(what, operand(width, a, a_value), operand(width, b, b_value)));
}

// Before the division: a divisor of zero and a quotient that does not fit are branches.
uint32_t heddle_concolic_divide(const SiteRecord* site, uint32_t operation, uint32_t width, uint32_t a,
                                uint64_t a_value, uint32_t b, uint64_t b_value) {
  if (!is_recording) return 0;
  const auto what = static_cast<Operation>(operation);
  const uint32_t dividend = operand(width, a, a_value);
  const uint32_t divisor = operand(width, b, b_value);
  if (dividend == 0 || divisor == 0) return 0;
  record_branch(site, make_binary(Operation::kEq, divisor, make_constant(width, 0)));
  if ((what == Operation::kSDiv || what == Operation::kSRem) && width > 1) {
    const uint32_t smallest = make_constant(width, uint64_t{1} << (width - 1));
    record_branch(site,
                  make_binary(Operation::kAnd, make_binary(Operation::kEq, dividend, smallest),
                              make_binary(Operation::kEq, divisor, make_constant(width, ~uint64_t{0}))));
  }
  if ((b_value & width_mask(width)) == 0) return 0;
  return bounded(make_binary(what, dividend, divisor));
}

// kZExt, kSExt, or kExtract from bit `first_bit` on.
uint32_t heddle_concolic_cast(uint32_t operation, uint32_t width, uint32_t from_width, uint32_t a,
                              uint64_t a_value, uint32_t first_bit) {
  const uint32_t node = trusted(from_width, a, a_value);
  if (node == 0) return 0;
  const auto what = static_cast<Operation>(operation);
  return bounded(what == Operation::kExtract ? make_extract(width, node, first_bit)
                                             : make_extension(what, width, node));
}

uint32_t heddle_concolic_select(uint32_t width, uint32_t condition, uint32_t condition_value, uint32_t a,
                                uint64_t a_value, uint32_t b, uint64_t b_value) {
  if (!is_recording) return 0;
  return bounded(make_ite(operand(1, condition, condition_value), operand(width, a, a_value),
                          operand(width, b, b_value)));
}

// pointer + index * scale; the index is signed.
uint32_t heddle_concolic_index(uint32_t pointer, uint64_t pointer_value, uint32_t index_width, uint32_t index,
                               uint64_t index_value, uint64_t scale) {
  if (!is_recording) return 0;
  const uint32_t wide = make_extension(Operation::kSExt, 64, operand(index_width, index, index_value));
  const uint32_t offset = make_binary(Operation::kMul, wide, make_constant(64, scale));
  return bounded(make_binary(Operation::kAdd, operand(64, pointer, pointer_value), offset));
}

uint32_t heddle_concolic_composite(uint32_t composite, uint32_t width, uint32_t a, uint64_t a_value,
                                   uint32_t b, uint64_t b_value, uint32_t c, uint64_t c_value) {
  if (!is_recording) return 0;
  return bounded(make_composite(static_cast<Composite>(composite), operand(width, a, a_value),
                                operand(width, b, b_value), operand(width, c, c_value)));
}

uint32_t heddle_concolic_load(const SiteRecord* site, const void* pointer, uint32_t pointer_handle,
                              uint32_t size, uint64_t value) {
  if (!is_recording) return 0;
  if (pointer_handle != 0) pin(site, 64, pointer_handle, address_of(pointer));
  return bounded(load_bytes(address_of(pointer), size, value));
}

// From an object of known place: reading all that can be read there, if its bytes are concrete.
uint32_t heddle_concolic_load_object(const SiteRecord* site, const void* pointer, uint32_t pointer_handle,
                                     uint32_t size, uint64_t value, const void* object,
                                     uint64_t object_size) {
  const uintptr_t start = address_of(object);
  const uint64_t offset_value = address_of(pointer) - start;
  const uint32_t handle = trusted(64, pointer_handle, address_of(pointer));
  if (handle == 0 || object_size < size) return heddle_concolic_load(site, pointer, handle, size, value);
  const uint32_t offset = make_binary(Operation::kSub, handle, make_constant(64, start));
  record_branch(site, make_binary(Operation::kUle, offset, make_constant(64, object_size - size)));
  const bool is_table = object_size <= kLargestTable && offset_value <= object_size - size &&
                        !has_expressions(start, object_size) && is_multiple_of(offset, size);
  if (!is_table) return heddle_concolic_load(site, pointer, pointer_handle, size, value);
  const uint32_t table = make_table(object, static_cast<uint32_t>(object_size));
  if (!is_recording) return 0;
  return bounded(make_table_read(size * 8, offset, table, value));
}

void heddle_concolic_store(const SiteRecord* site, const void* pointer, uint32_t pointer_handle,
                           uint32_t size, uint32_t handle, uint64_t value) {
  if (!is_recording) return;
  if (pointer_handle != 0) pin(site, 64, pointer_handle, address_of(pointer));
  const uint32_t width = handle == 0 ? 0 : node_at(handle).width;
  const uint32_t node = trusted(width, handle, value);
  store_bytes(address_of(pointer), size, node == 0 ? 0 : make_resized(size * 8, node));
}

void heddle_concolic_clear(const void* pointer, uint64_t size) {
  if (is_recording) clear_bytes(address_of(pointer), size);
}

// Before the program copies, so that what overlaps is right.
void heddle_concolic_copy(const void* to, const void* from, uint64_t size) {
  if (is_recording) copy_bytes(address_of(to), address_of(from), size);
}

void heddle_concolic_fill(const void* to, uint64_t size, uint32_t handle, uint64_t value) {
  if (!is_recording) return;
  const uint32_t node = trusted(8, handle, value);
  if (node == 0) return clear_bytes(address_of(to), size);
  for (uint64_t i = 0; i < size; ++i) set_byte(address_of(to) + i, node);
}

void heddle_concolic_pin(const SiteRecord* site, uint32_t width, uint32_t handle, uint64_t value) {
  if (is_recording) pin(site, width, handle, value);
}

void heddle_concolic_branch(const SiteRecord* site, uint32_t handle, uint32_t taken) {
  const uint32_t condition = trusted(1, handle, taken);
  if (condition != 0) record_branch(site, condition);
}

// Case after case, as if by ifs; `first_case` is the first of `count` sites.
void heddle_concolic_switch(const SiteRecord* first_case, uint32_t count, const uint64_t* cases,
                            uint32_t width, uint32_t handle, uint64_t value) {
  const uint32_t node = trusted(width, handle, value);
  if (node == 0) return;
  for (uint32_t i = 0; i < count; ++i) {
    record_branch(first_case + i, make_binary(Operation::kEq, node, make_constant(width, cases[i])));
    if (cases[i] == (value & width_mask(width))) return;
  }
}

void heddle_concolic_mark(const SiteRecord* site) {
  if (is_recording) record_event(site, SiteKind::kMark, 0, true, 0);
}

// For tests: the program calls it, with what it computed.
void heddle_concolic_observe(uint64_t value) {
  CallFrame& frame = heddle_concolic_frame;
  if (!is_recording || frame.caller == nullptr) return;
  const bool is_meant = frame.callee == reinterpret_cast<const void*>(&heddle_concolic_observe);
  record_event(frame.caller, SiteKind::kObserve, is_meant ? trusted(64, frame.arguments[0], value) : 0, true,
               value);
}

}  // extern "C"
