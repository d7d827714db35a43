#include "select/structure_store.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "program/facts_bytes.h"
#include "trace/atomic_file.h"
#include "trace/hash.h"

namespace heddle::select {

using program::CallGraph;
using program::FactsReader;
using program::FactsWriter;
using program::FunctionIndex;
using program::LockedRegion;
using program::OpId;

namespace {

namespace fs = std::filesystem;

// Another number whenever what is computed changes: older ones are then computed anew.
constexpr std::string_view kMagic = "heddle structure 2\n";
// So many are kept: the versions that somebody compares with at a time.
constexpr size_t kKept = 8;

bool is_call_of(const program::Program& program, const OpId& id) {
  if (id.function >= program.size()) return false;
  const std::vector<program::Block>& blocks = program.function(id.function).blocks;
  return id.block < blocks.size() && id.op < blocks[id.block].ops.size();
}

void write_op(FactsWriter& out, const OpId& id) {
  out.number(id.function);
  out.number(id.block);
  out.number(id.op);
}

OpId read_op(FactsReader& in, const program::Program& program) {
  OpId id;
  id.function = in.small_number();
  id.block = in.small_number();
  id.op = in.small_number();
  if (!is_call_of(program, id)) in.fail();
  return id;
}

std::string checksum_of(std::string_view bytes) {
  return fmt::format("{:016x}", trace::fnv1a(bytes, trace::kFnvBasis));
}

// Tells one build of heddle from another.
uint64_t own_identity() {
  struct stat self{};
  if (::stat("/proc/self/exe", &self) != 0) return 0;
  const std::string words = fmt::format("{} {} {}", self.st_size, self.st_mtim.tv_sec, self.st_mtim.tv_nsec);
  return trace::fnv1a(words, trace::kFnvBasis);
}

void store(const fs::path& file, const std::string& bytes) {
  Expected<trace::AtomicFile> written = trace::AtomicFile::create(file.string());
  if (written && written->write(bytes)) written->commit();
}

void remove_oldest(const fs::path& folder) {
  std::error_code failed;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    files.emplace_back(entry.last_write_time(failed), entry.path());
  if (files.size() <= kKept) return;
  std::sort(files.begin(), files.end());
  for (size_t i = 0; i < files.size() - kKept; ++i) fs::remove(files[i].second, failed);
}

}  // namespace

std::string encode_structure(const ProgramStructure& structure) {
  FactsWriter out;
  out.number(structure.program.size());
  out.list(structure.call_graph->sites(), [&](const CallGraph::Site& site) {
    write_op(out, site.call);
    out.list(site.callees, [&](FunctionIndex callee) { out.number(callee); });
  });
  out.list(structure.regions, [&](const LockedRegion& region) {
    write_op(out, region.acquire);
    out.number(region.is_shared ? 1 : 0);
    out.number(region.is_conditional ? 1 : 0);
    out.list(region.nodes, [&](uint32_t node) { out.number(node); });
  });
  const std::string payload = out.take();
  return std::string(kMagic) + checksum_of(payload) + payload;
}

std::unique_ptr<const ProgramStructure> decode_structure(std::string_view bytes,
                                                         const program::Program& program) {
  const size_t head = kMagic.size() + checksum_of({}).size();
  if (bytes.size() < head || !bytes.starts_with(kMagic)) return nullptr;
  const std::string_view payload = bytes.substr(head);
  if (bytes.substr(kMagic.size(), head - kMagic.size()) != checksum_of(payload)) return nullptr;
  FactsReader in(payload);
  if (in.number() != program.size()) return nullptr;
  std::vector<CallGraph::Site> sites;
  in.list(sites, [&] {
    CallGraph::Site site{.call = read_op(in, program), .callees = {}};
    in.list(site.callees, [&] {
      const uint32_t callee = in.small_number();
      if (callee >= program.size()) in.fail();
      return callee;
    });
    return site;
  });
  std::vector<LockedRegion> regions;
  in.list(regions, [&] {
    LockedRegion region;
    region.acquire = read_op(in, program);
    region.function = region.acquire.function;
    region.is_shared = in.flag();
    region.is_conditional = in.flag();
    in.list(region.nodes, [&] {
      const uint32_t node = in.small_number();
      if (!in.failed() && node >= program.function(region.function).nodes.size()) in.fail();
      return node;
    });
    return region;
  });
  if (in.failed() || in.left() != 0) return nullptr;
  auto graph = std::make_shared<const CallGraph>(std::move(sites), program.size());
  return std::make_unique<const ProgramStructure>(program, std::move(graph), std::move(regions));
}

std::unique_ptr<const ProgramStructure> known_structure(const program::Program& program, uint64_t content,
                                                        const fs::path& folder) {
  const fs::path file = folder / fmt::format("{:016x}-{:016x}", content, own_identity());
  std::error_code failed;
  std::stringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  if (auto known = decode_structure(bytes.str(), program)) {
    fs::last_write_time(file, fs::file_time_type::clock::now(), failed);
    return known;
  }
  const program::PointsTo points_to(program);
  auto analysed = std::make_unique<const ProgramStructure>(program, points_to.call_graph(),
                                                           program::locked_regions(program, points_to));
  fs::create_directories(folder, failed);
  store(file, encode_structure(*analysed));
  remove_oldest(folder);
  return analysed;
}

}  // namespace heddle::select
