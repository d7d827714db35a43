#include "interact/fast/start_stack.h"

#include <elf.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstring>

namespace heddle::fast {
namespace {

// Of all arguments of a run, with their pointers.
constexpr uint64_t kArgumentRoom = uint64_t{128} << 10;
constexpr uint64_t kWord = 8;
constexpr uint64_t kPathRoom = sizeof(Machine::program_path);

void put_word(uint64_t at, uint64_t value) {
  std::memcpy(reinterpret_cast<void*>(at), &value, sizeof(value));
}

uint64_t put_text(uint64_t* below, const std::string& text) {
  *below -= text.size() + 1;
  std::memcpy(reinterpret_cast<void*>(*below), text.c_str(), text.size() + 1);
  return *below;
}

}  // namespace

StartStack put_start(const StartRequest& request) {
  StartStack result;
  uint64_t at = request.stack_top - kArgumentRoom;
  // Room for any path, so that its length does not decide where the rest lies.
  uint64_t path = at;
  at -= kPathRoom;
  put_text(&path, request.program_path);
  // All calls of libraries are bound at once: after main() that would be done again in each run.
  const uint64_t own = put_text(&at, "LD_BIND_NOW=1");
  for (const std::string& variable : request.environment) result.variables.push_back(put_text(&at, variable));
  const uint64_t name = put_text(&at, request.program_name);
  at = (at - 16) & ~uint64_t{15};
  const uint64_t random = at;
  constexpr char kRandom[] = "heddle's randoms";
  std::memcpy(reinterpret_cast<void*>(random), kRandom, 16);

  std::vector<uint64_t> words = {1, name, 0};
  words.insert(words.end(), result.variables.begin(), result.variables.end());
  const size_t own_place = words.size();
  words.insert(words.end(), {own, 0});
  const auto add = [&](uint64_t type, uint64_t value) { words.insert(words.end(), {type, value}); };
  add(AT_HWCAP, ::getauxval(AT_HWCAP));
  add(AT_HWCAP2, ::getauxval(AT_HWCAP2));
  add(AT_PAGESZ, kPage);
  add(AT_CLKTCK, 100);
  add(AT_PHDR, request.program->headers);
  add(AT_PHENT, request.program->header_size);
  add(AT_PHNUM, request.program->header_count);
  add(AT_BASE, request.linker == nullptr ? 0 : request.linker->base);
  add(AT_FLAGS, 0);
  add(AT_ENTRY, request.program->entry);
  add(AT_UID, ::getuid());
  add(AT_EUID, ::geteuid());
  add(AT_GID, ::getgid());
  add(AT_EGID, ::getegid());
  add(AT_SECURE, 0);
  add(AT_RANDOM, random);
  add(AT_EXECFN, path);
  if (::getauxval(AT_MINSIGSTKSZ) != 0) add(AT_MINSIGSTKSZ, ::getauxval(AT_MINSIGSTKSZ));
  add(AT_NULL, 0);
  // No AT_SYSINFO_EHDR: with it the program would read the clock without a system call.

  result.pointer = (at - words.size() * kWord) & ~uint64_t{15};
  std::memcpy(reinterpret_cast<void*>(result.pointer), words.data(), words.size() * kWord);
  result.own_variable = result.pointer + own_place * kWord;
  return result;
}

bool put_arguments(Machine* machine, const std::string& program_name,
                   const std::vector<std::string>& arguments, const std::vector<uint64_t>& variables) {
  const uint64_t top = machine->zone + kStackTopAt;
  uint64_t text_size = program_name.size() + 1;
  for (const std::string& argument : arguments) text_size += argument.size() + 1;
  const uint64_t words = arguments.size() + variables.size() + 3;
  // The words begin at a fixed place, so that the same arguments lie at the same addresses in all versions.
  const uint64_t begin = top - kArgumentRoom;
  if (words * kWord + text_size > kArgumentRoom) return false;
  for (uint64_t page = begin; page < begin + words * kWord + text_size; page += kPage)
    touch(machine, page, true);
  uint64_t word = begin;
  uint64_t text = begin + words * kWord;
  const auto put = [&](const std::string& argument) {
    // What is behind a NUL can be no part of an argument.
    const size_t size = std::strlen(argument.c_str());
    std::memcpy(reinterpret_cast<void*>(text), argument.c_str(), size + 1);
    put_word(word, text);
    word += kWord;
    text += size + 1;
  };
  put(program_name);
  for (const std::string& argument : arguments) put(argument);
  put_word(word, 0);
  word += kWord;
  const uint64_t environment = word;
  for (const uint64_t variable : variables) {
    put_word(word, variable);
    word += kWord;
  }
  put_word(word, 0);
  machine->entry_registers[0] = arguments.size() + 1;
  machine->entry_registers[1] = begin;
  machine->entry_registers[2] = environment;
  return true;
}

}  // namespace heddle::fast
