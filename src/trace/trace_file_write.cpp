#include <zstd.h>

#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "trace/atomic_file.h"
#include "trace/command_text.h"
#include "trace/trace_file.h"
#include "trace/validate.h"

namespace heddle::trace {
namespace {

using Bytes = std::span<const std::byte>;

// Level 3 is zstd's default: about 500 MB/s, and within a tenth of what the slow levels gain on event tables.
constexpr int kCompressionLevel = 3;

constexpr uint64_t aligned(uint64_t offset) {
  return (offset + 7) / 8 * 8;
}

// The string table plus the two labels, which the tables of an execution do not hold.
class Strings {
 public:
  explicit Strings(std::span<const char> table) : text_(table.begin(), table.end()) {
    if (text_.empty()) {
      text_.push_back('\0');
    }
  }

  // Reuses a string that is there, so that reading and writing a file again gives the same bytes.
  uint32_t offset_of(const std::string& string) {
    if (string.empty()) {
      return 0;
    }
    const std::string between_ends = '\0' + string + '\0';
    if (const size_t found = text_.find(between_ends); found != std::string::npos) {
      return static_cast<uint32_t>(found + 1);
    }
    const size_t offset = text_.size();
    text_ += string + '\0';
    return static_cast<uint32_t>(offset);
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The file as a sequence of pieces, none of them copied from the trace. Point into the members: do not move.
class FileImage {
 public:
  explicit FileImage(const Trace& trace) : strings_(trace.strings()) {
    std::memcpy(header_.magic, kTraceMagic, sizeof(header_.magic));
    header_.version = kFormatVersion;
    header_.header_size = sizeof(TraceHeader);
    header_.events_dropped = trace.events_dropped();
    header_.events_lost = trace.events_lost();
    header_.command = strings_.offset_of(join_command(trace.command()));
    header_.policy = strings_.offset_of(trace.policy());
    header_.outcome = trace.outcome();
    add(std::as_bytes(std::span(&header_, 1)));
    for (size_t i = 0; i < kTableCount; ++i) {
      const auto id = static_cast<TableId>(i);
      const Bytes bytes =
          id == TableId::kStrings ? std::as_bytes(std::span(strings_.text())) : trace.table_bytes(id);
      const uint64_t count = bytes.size() / record_size(id);
      header_.tables[i] = {.offset = header_.file_size, .capacity = count, .count = count};
      add(bytes);
    }
  }
  FileImage(const FileImage&) = delete;
  FileImage& operator=(const FileImage&) = delete;

  const std::vector<Bytes>& pieces() const { return pieces_; }
  uint64_t size() const { return header_.file_size; }
  uint64_t string_bytes() const { return strings_.text().size(); }

 private:
  void add(Bytes piece) {
    static constexpr std::byte kZeros[8] = {};
    pieces_.push_back(piece);
    const uint64_t padding = aligned(piece.size()) - piece.size();
    pieces_.push_back(Bytes(kZeros).first(padding));
    header_.file_size += piece.size() + padding;
  }

  Strings strings_;
  TraceHeader header_{};
  std::vector<Bytes> pieces_;
};

Expected<void> write_plain(AtomicFile& file, const FileImage& image) {
  for (const Bytes piece : image.pieces()) {
    if (auto written = file.write(piece); !written) {
      return written;
    }
  }
  return {};
}

Expected<void> write_compressed(AtomicFile& file, const FileImage& image) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (!context) {
    return internal_error("out of memory while compressing a trace");
  }
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompressionLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  // The reader refuses frames that do not say how large they get.
  ZSTD_CCtx_setPledgedSrcSize(context.get(), image.size());

  std::vector<std::byte> buffer(ZSTD_CStreamOutSize());
  const auto compress = [&](Bytes piece, ZSTD_EndDirective directive) -> Expected<void> {
    ZSTD_inBuffer in = {piece.data(), piece.size(), 0};
    size_t left = 0;
    do {
      ZSTD_outBuffer out = {buffer.data(), buffer.size(), 0};
      left = ZSTD_compressStream2(context.get(), &out, &in, directive);
      if (ZSTD_isError(left)) {
        return internal_error(fmt::format("cannot compress a trace: {}", ZSTD_getErrorName(left)));
      }
      if (auto written = file.write(Bytes(buffer).first(out.pos)); !written) {
        return written;
      }
    } while (in.pos < in.size || (directive == ZSTD_e_end && left != 0));
    return {};
  };
  for (const Bytes piece : image.pieces()) {
    if (auto done = compress(piece, ZSTD_e_continue); !done) {
      return done;
    }
  }
  return compress({}, ZSTD_e_end);
}

}  // namespace

Expected<void> write_trace(const std::string& path, const Trace& trace) {
  if (const auto damage = validate(trace)) {
    return internal_error(fmt::format("cannot write {}: the trace is damaged, {}", path, damage->text()));
  }
  const FileImage image(trace);
  if (image.string_bytes() > UINT32_MAX) {
    return internal_error(fmt::format("cannot write {}: the strings of the trace exceed 4 GiB", path));
  }
  const bool compressed = path.ends_with(".zst");
  if (compressed && image.size() > kMaxExpandedTrace) {
    return usage_error(
        fmt::format("cannot write {}: a trace of {} bytes is too large to be read back from a "
                    "compressed file (limit {}); leave out the .zst",
                    path, image.size(), kMaxExpandedTrace));
  }
  auto file = AtomicFile::create(path);
  if (!file) {
    return tl::unexpected(file.error());
  }
  auto written = compressed ? write_compressed(*file, image) : write_plain(*file, image);
  return written ? file->commit() : written;
}

}  // namespace heddle::trace
