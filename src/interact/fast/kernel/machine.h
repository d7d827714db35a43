// Machine: one program that lives in this process, as the code below it sees it: its registers, its memory,
// its open files.
//
// The program is a complete one, with the dynamic linker and libraries of its own, in a range of addresses of
// its own (its *zone*). It gets nothing from heddle but an imitation of Linux: every system call instruction
// in the zone comes here, either because it was replaced by a jump (patch_calls.h) or as a signal by seccomp.
// What this folder does not imitate ends the run with "needs a process".
//
// All of this folder runs on behalf of the program: with the program's thread register, often in a signal
// handler, and must keep the vector registers. So it calls no library, has no variables of threads and no
// floating point (CMakeLists.txt says how it is compiled), and nothing allocates.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interact/fast/layout.h"

namespace heddle::fast {

// Zones lie a terabyte apart from each other and from everything else: what a program computes wrongly from
// its own addresses does not lead out of its own zone.
inline constexpr uint64_t kFirstZone = 0x2000'0000'0000;
inline constexpr uint64_t kZoneSize = uint64_t{1} << 40;
inline constexpr unsigned kMostZones = 16;
// In a zone, from its beginning:
inline constexpr uint64_t kPatchesAt = uint64_t{16} << 20;  // code that replaces system calls
inline constexpr uint64_t kPatchesSize = uint64_t{1} << 20;
inline constexpr uint64_t kFeedbackAt = uint64_t{128} << 20;
inline constexpr uint64_t kImagesAt = uint64_t{256}
                                      << 20;  // executable, libraries, what is mapped before main()
inline constexpr uint64_t kImagesSize = uint64_t{1} << 30;  // so that jumps reach the patches
inline constexpr uint64_t kHeapAt = uint64_t{64} << 30;
inline constexpr uint64_t kMapsAt = uint64_t{256} << 30;  // what the program maps
inline constexpr uint64_t kStackTopAt = uint64_t{768} << 30;

inline constexpr uint64_t kStackSize = uint64_t{8} << 20;  // as in the sandbox

inline constexpr uint64_t kPage = 4096;

enum class Stop : uint32_t {
  kNone,
  kReady,  // main() is about to be called for the first time
  kExit,
  kSignal,
  kTime,
  kOutput,
  kNeedsProcess,
};

enum class RegionKind : uint32_t { kFixed, kStack, kHeap, kMaps };

// Memory that the program may write. A page is *clean* as long as it has its contents from before main();
// then it cannot be written, and the first to try makes it *used*.
struct Region {
  uint64_t begin;
  uint64_t end;
  RegionKind kind;
  uint32_t is_readable;     // its clean pages are
  uint8_t* used;            // for each page
  const uint8_t** origins;  // for each page: its contents before main(), null: zeros
};

struct UsedPage {
  uint64_t address;
  const uint8_t* origin;
  uint8_t* used;
};

// Zero pages that were made usable many at a time.
struct UsedRange {
  uint64_t begin;
  uint64_t end;
  uint8_t* used;
};

enum class FileKind : uint32_t { kNone, kInput, kOutput, kErrors, kContent, kNull, kReal };

struct OpenFile {
  FileKind kind;
  uint32_t users;  // descriptors
  uint64_t offset;
  const uint8_t* content;
  uint64_t size;
  uint64_t identity;  // inode
  uint32_t flags;
  int32_t real;  // kReal: before main() only
};

struct Descriptor {
  uint8_t file;  // 1 + index; 0: closed
  uint8_t closes_on_exec;
};

struct Stream {
  uint8_t* bytes;
  uint64_t size;
};

struct SignalAction {
  uint64_t handler;
  uint64_t flags;
  uint64_t restorer;
  uint64_t mask;
};

// From so many faults of a run on, neighbours of a page become usable with it.
inline constexpr uint32_t kManyFaults = 64;

inline constexpr size_t kMostRegions = 128;
inline constexpr size_t kMostUsed = 1024;
inline constexpr size_t kMostRanges = 512;
inline constexpr size_t kMostFiles = 32;
inline constexpr size_t kMostMappings = 64;
inline constexpr size_t kMostSystemFiles = 32;

struct Mapping {
  uint64_t begin;
  uint64_t end;
};

// What system calls change, besides memory; its state at main() is restored as a whole.
struct CallState {
  OpenFile files[kMostFiles];
  Descriptor descriptors[kMostFiles];
  SignalAction actions[64];
  uint64_t blocked_signals;
  uint64_t heap_end;
  uint64_t maps_end;
  uint64_t mapped;  // bytes that count for the limit
  Mapping mappings[kMostMappings];
  uint32_t mapping_count;
  uint32_t umask;
  uint32_t has_moved;  // to another folder
  uint32_t has_alarm;
  uint64_t time;  // nanoseconds since it began
  uint64_t random;
  uint64_t signal_stack[3];
};

// A file of the system, like those of time zones: read once.
struct SystemFile {
  char path[256];
  const uint8_t* content;
  uint64_t size;
};

struct Machine {
  // switch.S knows these offsets.
  uint64_t host_stack;               // 0
  uint64_t host_thread;              // 8
  uint64_t program_thread;           // 16
  uint64_t program_stack;            // 24
  uint64_t kernel_stack;             // 32
  uint64_t is_active;                // 40
  uint64_t entry;                    // 48
  uint64_t entry_stack;              // 56
  uint64_t entry_registers[3];       // 64: rdi, rsi, rdx
  uint64_t kept_registers[6];        // 88: rbx, rbp, r12 to r15 at main()
  uint64_t has_thread_instructions;  // 136
  uint64_t is_in_kernel;             // 144
  uint64_t stop;                     // 152

  uint64_t zone;
  uint64_t heap_begin;
  uint64_t memory_limit;
  uint64_t output_limit;
  uint32_t is_starting;     // before main()
  uint32_t has_read_input;  // before main()
  int exit_code;
  int signal;
  // Why it needs a process: a sentence's end ("it calls fork()"), or the number of a system call.
  const char* reason;
  int64_t unknown_call;

  Region regions[kMostRegions];
  size_t region_count;
  UsedPage used[kMostUsed];
  size_t used_count;
  UsedRange ranges[kMostRanges];
  size_t range_count;
  uint32_t faults;      // of this run
  uint32_t traps;       // system calls of this run that came as signals
  uint64_t trap_place;  // of the last one

  CallState calls;
  Stream out;
  Stream err;
  const uint8_t* input;
  uint64_t input_size;
  const uint8_t* file;
  uint64_t file_size;
  char file_name[256];
  char program_path[1024];
  uint64_t images_end;  // what is mapped before main() comes there

  SystemFile system_files[kMostSystemFiles];
  size_t system_file_count;

  int64_t thread;  // of this process, in which the program runs
  uint32_t ticks;  // of the clock, in this run
  uint32_t most_ticks;
  HeddleFastFeedback* feedback;
};

inline bool is_in_zone(const Machine& machine, uint64_t address) {
  return address - machine.zone < kZoneSize;
}

// The program that runs, or nullptr.
extern "C" Machine* heddle_fast_current;

// switch.S: runs the program from `entry` until something ends it.
extern "C" void heddle_fast_enter(Machine* machine);
extern "C" void heddle_fast_leave();
// Where a patched system call, and main() on its first call, jump to.
extern "C" void heddle_fast_call();
extern "C" void heddle_fast_ready();

// A page becomes usable for the program. False: the program must not do that.
bool touch(Machine* machine, uint64_t address, bool writes);

// Handlers of faults, of trapped system calls, of the clock.
bool install_handlers();
// System calls from zones become signals, from now on and for ever, in this process and its children.
bool trap_system_calls();

}  // namespace heddle::fast
