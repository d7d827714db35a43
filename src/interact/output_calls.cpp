#include "interact/output_calls.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

namespace heddle::interact {
namespace {

using program::FunctionIndex;
using program::MemoryObject;
using program::Op;
using program::OpId;
using program::OpKind;

const std::unordered_set<std::string_view>& writing_names() {
  static const std::unordered_set<std::string_view> kNames{
      // stdio
      "printf", "fprintf", "vprintf", "vfprintf", "dprintf", "vdprintf", "puts", "fputs", "putc", "fputc",
      "putchar", "putw", "fwrite", "perror", "putc_unlocked", "fputc_unlocked", "putchar_unlocked",
      "fputs_unlocked", "fwrite_unlocked", "_IO_putc", "__overflow", "__printf_chk", "__fprintf_chk",
      "__vprintf_chk", "__vfprintf_chk", "__dprintf_chk", "__vdprintf_chk", "fputwc", "putwc", "putwchar",
      "fputws", "wprintf", "fwprintf", "vwprintf", "vfwprintf", "psignal", "psiginfo",
      // descriptors
      "write", "pwrite", "pwrite64", "writev", "pwritev", "send", "sendto", "sendmsg", "sendfile", "splice",
      "copy_file_range",
      // messages
      "error", "error_at_line", "err", "errx", "verr", "verrx", "warn", "warnx", "vwarn", "vwarnx", "syslog",
      "vsyslog"};
  return kNames;
}

const std::unordered_set<std::string_view>& ending_names() {
  static const std::unordered_set<std::string_view> kNames{"exit",
                                                           "_exit",
                                                           "_Exit",
                                                           "quick_exit",
                                                           "abort",
                                                           "__assert_fail",
                                                           "__assert_perror_fail",
                                                           "__assert",
                                                           "_ZSt9terminatev",
                                                           "__stack_chk_fail",
                                                           "__chk_fail"};
  return kNames;
}

// Members of std::ostream and std::streambuf, and operators that write to them.
constexpr std::array<std::string_view, 8> kStreamPrefixes{
    "_ZNSols",
    "_ZNSo3put",
    "_ZNSo5write",
    "_ZNSo9_M_insert",
    "_ZSt16__ostream_insert",
    "_ZNSt15basic_streambufIcSt11char_traitsIcEE5sput",
    "_ZNSt15basic_streambufIcSt11char_traitsIcEE6xsputn",
    "_ZNSt15basic_streambufIcSt11char_traitsIcEE8overflow"};

bool is_stream_function(std::string_view name) {
  return name.starts_with("_ZStls") ||
         std::any_of(kStreamPrefixes.begin(), kStreamPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

bool is_output_function(std::string_view linkage_name) {
  return writing_names().contains(linkage_name) || ending_names().contains(linkage_name) ||
         is_stream_function(linkage_name);
}

OutputCalls::OutputCalls(const program::Program& program, const program::PointsTo& points_to)
    : program_(program), points_to_(points_to), writes_(program.size()) {
  std::vector<FunctionIndex> open;
  const auto add = [&](FunctionIndex f) {
    if (writes_[f] || !is_library(f)) return;
    writes_[f] = true;
    open.push_back(f);
  };
  for (FunctionIndex f = 0; f < program.size(); ++f) {
    if (!is_library(f)) continue;
    const program::Function& function = program.function(f);
    for (uint32_t b = 0; b < function.blocks.size(); ++b)
      for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o)
        if (writes({f, b, o})) add(f);
  }
  while (!open.empty()) {
    const FunctionIndex f = open.back();
    open.pop_back();
    for (const OpId& caller : points_to.callers(f)) add(caller.function);
  }
}

bool OutputCalls::is_output(const OpId& id) const {
  if (is_library(id.function)) return false;
  if (ending_names().contains(external_name(id)) || writes(id)) return true;
  const std::vector<FunctionIndex>& callees = points_to_.callees(id);
  return std::any_of(callees.begin(), callees.end(), [&](FunctionIndex callee) { return writes_[callee]; }) &&
         !writes_to_memory(id);
}

std::string_view OutputCalls::external_name(const OpId& id) const {
  const Op& op = program_.function(id.function).blocks[id.block].ops[id.op];
  if (op.kind != OpKind::kCall || op.symbol == kNone || !points_to_.callees(id).empty()) return {};
  const program::Unit& unit = program_.unit_of(id.function);
  // A function of the program with such a name is no output by itself.
  if (program_.definition(unit, op.symbol) != kNone) return {};
  return unit.symbols[op.symbol].linkage_name;
}

bool OutputCalls::writes(const OpId& id) const {
  const std::string_view name = external_name(id);
  return writing_names().contains(name) || (is_stream_function(name) && !writes_to_memory(id));
}

// Whether the stream that it is given can only be one that makes a string.
bool OutputCalls::writes_to_memory(const OpId& id) const {
  const Op& op = program_.function(id.function).blocks[id.block].ops[id.op];
  if (op.operands.empty()) return false;
  const std::vector<program::Pointee> streams = points_to_.pointees(id.function, op.operands.front());
  return !streams.empty() && std::all_of(streams.begin(), streams.end(), [&](const program::Pointee& to) {
    const MemoryObject& object = points_to_.objects()[to.object];
    if (object.kind != MemoryObject::Kind::kLocal) return false;
    const Op& local =
        program_.function(object.made_at.function).blocks[object.made_at.block].ops[object.made_at.op];
    if (local.type == kNone) return false;
    const std::string& type = program_.unit_of(object.made_at.function).types[local.type].name;
    return type.find("stringstream") != std::string::npos;
  });
}

bool OutputCalls::is_library(FunctionIndex function) const {
  const std::string& file = program_.function(function).file;
  return file.empty() || file.front() == '/';
}

}  // namespace heddle::interact
