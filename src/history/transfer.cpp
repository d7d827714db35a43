#include "history/transfer.h"

#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trace/atomic_file.h"
#include "trace/input_file.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr int kCompressionLevel = 6;  // half a second for 50 MB; slower levels gain little on hashes

// A file of our own, gone with the object.
class TemporaryFile {
 public:
  static Expected<TemporaryFile> beside(const fs::path& file) {
    std::error_code failed;
    fs::path folder = file.parent_path();
    if (folder.empty() || !fs::is_directory(folder, failed)) folder = fs::temp_directory_path(failed);
    std::string folder_name = (folder / "heddle-history-XXXXXX").string();
    if (::mkdtemp(folder_name.data()) == nullptr) {
      return usage_error(fmt::format("cannot make a file in {}: {}", folder.string(), std::strerror(errno)));
    }
    return TemporaryFile(folder_name);
  }
  TemporaryFile(TemporaryFile&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  ~TemporaryFile() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  std::string path() const { return (folder_ / "history.db").string(); }

 private:
  explicit TemporaryFile(const std::string& folder) : folder_(folder) {}
  fs::path folder_;
};

template <auto release>
struct Release {
  template <typename T>
  void operator()(T* context) const {
    release(context);
  }
};

// Reads `from` in pieces, and gives each to `use` with whether it is the last.
template <typename Use>
Expected<void> for_each_piece(const std::string& from, const Use& use) {
  Expected<trace::InputFile> input = trace::InputFile::open(from);
  if (!input) return tl::unexpected(input.error());
  std::vector<char> buffer(ZSTD_CStreamInSize());
  while (true) {
    const Expected<size_t> count = input->read(buffer);
    if (!count) return tl::unexpected(count.error());
    const Expected<void> used = use(std::string_view(buffer.data(), *count), *count == 0);
    if (!used || *count == 0) return used;
  }
}

Expected<void> compress(const std::string& from, trace::AtomicFile& to) {
  const std::unique_ptr<ZSTD_CCtx, Release<ZSTD_freeCCtx>> context(ZSTD_createCCtx());
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompressionLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::vector<char> out(ZSTD_CStreamOutSize());
  return for_each_piece(from, [&](std::string_view piece, bool is_last) -> Expected<void> {
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    size_t left = 0;
    do {
      ZSTD_outBuffer room{out.data(), out.size(), 0};
      left = ZSTD_compressStream2(context.get(), &room, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) return internal_error(fmt::format("zstd: {}", ZSTD_getErrorName(left)));
      const Expected<void> written = to.write(std::string_view(out.data(), room.pos));
      if (!written) return written;
    } while (is_last ? left != 0 : in.pos != in.size);
    return {};
  });
}

Expected<void> copy(const std::string& from, trace::AtomicFile& to) {
  return for_each_piece(from, [&](std::string_view piece, bool) { return to.write(piece); });
}

Expected<void> expand(const std::string& from, trace::AtomicFile& to) {
  const std::unique_ptr<ZSTD_DCtx, Release<ZSTD_freeDCtx>> context(ZSTD_createDCtx());
  std::vector<char> out(ZSTD_DStreamOutSize());
  size_t left = 1;  // 0 at the end of a frame
  return for_each_piece(from, [&](std::string_view piece, bool is_last) -> Expected<void> {
    if (is_last && left != 0)
      return usage_error(fmt::format("{} is truncated: its compressed data does not end", from));
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    while (in.pos != in.size) {
      ZSTD_outBuffer room{out.data(), out.size(), 0};
      left = ZSTD_decompressStream(context.get(), &room, &in);
      if (ZSTD_isError(left))
        return usage_error(fmt::format("{} is damaged: {}", from, ZSTD_getErrorName(left)));
      const Expected<void> written = to.write(std::string_view(out.data(), room.pos));
      if (!written) return written;
    }
    return {};
  });
}

Expected<bool> is_compressed(const std::string& file) {
  Expected<trace::InputFile> input = trace::InputFile::open(file);
  if (!input) return tl::unexpected(input.error());
  constexpr uint32_t kMagic = ZSTD_MAGICNUMBER;
  const Expected<std::string_view> begin = input->begin(sizeof kMagic);
  if (!begin) return tl::unexpected(begin.error());
  return begin->size() == sizeof kMagic && std::memcmp(begin->data(), &kMagic, sizeof kMagic) == 0;
}

}  // namespace

Expected<void> export_history(History& history, const std::string& file) {
  const Expected<TemporaryFile> snapshot = TemporaryFile::beside(fs::absolute(file));
  if (!snapshot) return tl::unexpected(snapshot.error());
  if (const Expected<void> copied = history.copy_to(snapshot->path()); !copied) return copied;
  Expected<trace::AtomicFile> to = trace::AtomicFile::create(file);
  if (!to) return tl::unexpected(to.error());
  const Expected<void> written =
      file.ends_with(".zst") ? compress(snapshot->path(), *to) : copy(snapshot->path(), *to);
  if (!written) return written;
  return to->commit();
}

Expected<void> import_history(History& history, const std::string& file) {
  const Expected<bool> compressed = is_compressed(file);
  if (!compressed) return tl::unexpected(compressed.error());
  if (!*compressed) return history.merge_from(file);
  const Expected<TemporaryFile> expanded = TemporaryFile::beside(fs::absolute(history.file()));
  if (!expanded) return tl::unexpected(expanded.error());
  Expected<trace::AtomicFile> to = trace::AtomicFile::create(expanded->path());
  if (!to) return tl::unexpected(to.error());
  if (const Expected<void> done = expand(file, *to); !done) return done;
  if (const Expected<void> done = to->commit(); !done) return done;
  return history.merge_from(expanded->path());
}

}  // namespace heddle
