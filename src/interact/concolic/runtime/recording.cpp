#include "interact/concolic/runtime/recording.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interact/concolic/runtime/expressions.h"

__thread heddle::concolic::CallFrame heddle_concolic_frame;

namespace heddle::concolic {

Recording recording;
__thread bool is_recording;

namespace {

void write_sites(const char* path) {
  FILE* file = fopen(path, "w");
  if (file == nullptr) _exit(3);
  fprintf(file, "%s\n", kSitesTitle);
  for (const SiteRecord* site = __start_heddle_concolic_sites; site != __stop_heddle_concolic_sites; ++site) {
    fprintf(file, "%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%s\t%s\t%s\n", site->kind, site->library, site->line,
            site->column, site->taken_line, site->taken_column, site->not_taken_line, site->not_taken_column,
            site->function, site->folder, site->file);
  }
  _exit(fclose(file) == 0 ? 0 : 3);
}

void map_arena(int file) {
  struct stat status;
  if (fstat(file, &status) != 0) return;
  const auto size = static_cast<size_t>(status.st_size);
  void* const start = size < sizeof(ArenaHeader)
                          ? MAP_FAILED
                          : mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (start == MAP_FAILED) return;
  auto* const bytes = static_cast<unsigned char*>(start);
  auto* const header = static_cast<ArenaHeader*>(start);
  if (header->magic != kArenaMagic) return;
  const ArenaLayout layout = arena_layout(header->node_capacity, header->event_capacity,
                                          header->table_capacity, header->table_byte_capacity);
  if (layout.size > size) return;
  recording = {header, reinterpret_cast<Node*>(bytes + layout.nodes),
               reinterpret_cast<Event*>(bytes + layout.events),
               reinterpret_cast<Table*>(bytes + layout.tables), bytes + layout.table_bytes};
}

// Before the constructors of the program.
__attribute__((constructor(101))) void open_recording() {
  if (const char* path = getenv(kSitesVariable)) write_sites(path);
  if (const char* file = getenv(kArenaVariable)) map_arena(atoi(file));
  if (recording.header == nullptr) return;
  unsetenv(kArenaVariable);  // programs that it starts have recordings of their own
  pthread_atfork(nullptr, nullptr, [] { is_recording = false; });
}

}  // namespace

void stop_recording(Stop why) {
  is_recording = false;
  recording.header->stop = why;
}

void record_event(const SiteRecord* site, SiteKind kind, uint32_t condition, bool taken, uint64_t value) {
  ArenaHeader& header = *recording.header;
  if (header.event_count == header.event_capacity) return stop_recording(Stop::kEvents);
  Event& event = recording.events[header.event_count];
  const SiteRecord* const caller = heddle_concolic_frame.caller;
  event.site = site_number(site);
  event.condition = condition;
  event.caller = site->library != 0 && caller != nullptr ? site_number(caller) + 1 : 0;
  event.kind = kind;
  event.taken = taken;
  event.unused = 0;
  event.value = value;
  ++header.event_count;
}

void record_branch(const SiteRecord* site, uint32_t condition) {
  if (condition == 0 || is_constant(condition)) return;
  record_event(site, static_cast<SiteKind>(site->kind), condition, node_at(condition).value != 0, 0);
}

}  // namespace heddle::concolic
