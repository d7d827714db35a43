#include "interact/concolic/runtime/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "interact/concolic/runtime/expressions.h"
#include "interact/concolic/runtime/shadow_memory.h"

using namespace heddle::concolic;

namespace {

bool is_symbolic(uint32_t what) {
  return is_recording && (recording.header->symbolic & what) != 0;
}

bool is_same_file(int file, const char* path) {
  struct stat opened;
  struct stat named;
  return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

// The strings move to where there are zeros behind them that can become characters.
char** with_room(int count, char** arguments, uint32_t slack) {
  auto** const result = static_cast<char**>(calloc(static_cast<size_t>(count) + 1, sizeof(char*)));
  for (int i = 0; i < count; ++i) {
    const size_t length = strlen(arguments[i]);
    result[i] = static_cast<char*>(calloc(length + 1 + slack, 1));
    memcpy(result[i], arguments[i], length);
  }
  return result;
}

uint32_t make_size(uint32_t source, unsigned long size) {
  if (!is_recording || size >= recording.header->longest_file) return 0;
  const SourceKind kind = source_kind(source) == SourceKind::kStandardInput ? SourceKind::kStandardInputSize
                                                                            : SourceKind::kFileSize;
  return make_input(64, make_source(kind, source_index(source)), 0, size);
}

// As instrumented functions hand their results back.
void hand_back(const void* function, uint32_t handle, unsigned long value) {
  heddle_concolic_frame.returned = function;
  heddle_concolic_frame.results[0] = trusted(64, handle, value);
}

}  // namespace

extern "C" {

char** heddle_concolic_arguments(int count, char** arguments) {
  if (recording.header == nullptr || recording.header->started != 0) return arguments;
  recording.header->started = 1;
  is_recording = true;
  if (!is_symbolic(symbolic::kArguments)) return arguments;
  const uint32_t slack = recording.header->slack;
  char** const result = with_room(count, arguments, slack);
  for (int i = 1; i < count; ++i) {
    const uint32_t source = make_source(SourceKind::kArgument, static_cast<uint32_t>(i));
    heddle_concolic_input_bytes(source, 0, result[i], strlen(result[i]) + slack);
  }
  return result;
}

uint32_t heddle_concolic_argument_count(int count) {
  if (!is_symbolic(symbolic::kArgumentCount)) return 0;
  return make_input(32, make_source(SourceKind::kArgumentCount, 0), 0, static_cast<uint32_t>(count));
}

uint32_t heddle_concolic_file_source(int file) {
  struct stat status;
  if (file < 0 || !is_recording || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  const char* const name = recording.header->file_name;
  if (is_symbolic(symbolic::kStandardInput) && is_same_file(file, "/proc/self/fd/0"))
    return make_source(SourceKind::kStandardInput, 0);
  if (is_symbolic(symbolic::kFile) && is_same_file(file, name)) return make_source(SourceKind::kFile, 0);
  return 0;
}

void heddle_concolic_input_bytes(uint32_t source, unsigned long offset, const void* memory,
                                 unsigned long count) {
  if (!is_recording) return;
  const auto* const bytes = static_cast<const unsigned char*>(memory);
  const bool is_file = source_kind(source) != SourceKind::kArgument;
  for (unsigned long i = 0; i < count; ++i) {
    const unsigned long at = offset + i;
    const bool is_concrete = is_file && at >= recording.header->longest_file;
    set_byte(reinterpret_cast<uintptr_t>(bytes + i),
             is_concrete ? 0 : make_input(8, source, static_cast<uint32_t>(at), bytes[i]));
  }
}

unsigned long heddle_concolic_input_size(uint32_t source, unsigned long size) {
  hand_back(reinterpret_cast<const void*>(&heddle_concolic_input_size), make_size(source, size), size);
  return size;
}

unsigned long heddle_concolic_amount(uint32_t source, unsigned long size, unsigned long offset,
                                     unsigned long wanted, unsigned long unit, unsigned long read) {
  const uint32_t all = make_size(source, size);
  uint32_t amount = 0;
  if (all != 0) {
    const uint32_t begin = make_constant(64, offset);
    const uint32_t most = make_constant(64, wanted);
    const uint32_t rest = make_ite(make_binary(Operation::kUlt, all, begin), make_constant(64, 0),
                                   make_binary(Operation::kSub, all, begin));
    amount = make_ite(make_binary(Operation::kUlt, rest, most), rest, most);
    amount = make_binary(Operation::kUDiv, amount, make_constant(64, unit));
  }
  hand_back(reinterpret_cast<const void*>(&heddle_concolic_amount), amount, read);
  return read;
}

unsigned long heddle_concolic_concrete(unsigned long value) {
  return value;
}

void heddle_concolic_copied(const void* to, const void* from, unsigned long size) {
  if (is_recording) copy_bytes(reinterpret_cast<uintptr_t>(to), reinterpret_cast<uintptr_t>(from), size);
}

void heddle_concolic_written(const void* memory, unsigned long size) {
  if (is_recording) clear_bytes(reinterpret_cast<uintptr_t>(memory), size);
}

}  // extern "C"
