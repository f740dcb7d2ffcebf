#include "model/file/model_envelope.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/check.h"
#include "base/status.h"
#include "io/digest.h"

namespace flaim {
namespace {

// The bytes after the name show a transfer that took the file for text, or cut the eighth bit off.
constexpr std::string_view kMagic("FLAIM\xf1\r\n", 8);
constexpr std::size_t kPreambleBytes = 32;
constexpr std::size_t kChecksumBytes = 32;
constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kNumbersPerStep = 8192;

using Checksum = std::array<char, kChecksumBytes>;

void AppendWord(std::uint64_t word, std::size_t bytes, std::string& out) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(word >> (8 * i));
}

std::uint64_t WordAt(std::string_view bytes, std::size_t position, std::size_t size) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size; ++i) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[position + i])) << (8 * i);
  }
  return word;
}

std::size_t PaddingAfter(std::size_t header_bytes) { return (8 - header_bytes % 8) % 8; }

struct Preamble {
  std::uint64_t version = 0;
  std::uint64_t flags = 0;
  std::uint64_t header_bytes = 0;
  std::uint64_t numbers = 0;
};

Preamble DecodePreamble(std::string_view bytes) {
  return {WordAt(bytes, 8, 4), WordAt(bytes, 12, 4), WordAt(bytes, 16, 8), WordAt(bytes, 24, 8)};
}

absl::Status CheckLengths(const Preamble& preamble, std::int64_t max_bytes, const std::string& name) {
  if (preamble.header_bytes > kMaxModelHeaderBytes) {
    return DataLoss("{}: claims a header of {} bytes, where {} are allowed; copy the file again", name,
                    preamble.header_bytes, kMaxModelHeaderBytes);
  }
  const std::uint64_t others =
      kPreambleBytes + preamble.header_bytes + PaddingAfter(preamble.header_bytes) + kChecksumBytes;
  const auto allowed = static_cast<std::uint64_t>(std::max<std::int64_t>(max_bytes, 0));
  if (others > allowed || preamble.numbers > (allowed - others) / kNumberBytes) {
    return ResourceExhausted(
        "{}: claims a header of {} bytes and {} numbers, more than the {} bytes that are allowed; allow more if the "
        "file is that large, or copy it again",
        name, preamble.header_bytes, preamble.numbers, allowed);
  }
  return absl::OkStatus();
}

// Takes exact lengths from a source and remembers the checksum of what it took.
class EnvelopeReader {
 public:
  explicit EnvelopeReader(ByteSource& source) : source_(source) {}

  absl::StatusOr<Preamble> TakePreamble(std::int64_t max_bytes) {
    std::array<char, kPreambleBytes> bytes;
    ASSIGN_OR_RETURN(const std::size_t count, Fill(bytes));
    const std::string_view taken(bytes.data(), count);
    if (taken.empty() || !taken.starts_with(kMagic.substr(0, count))) {
      return InvalidArgument("{}: is not a model file; name a file that flaim wrote as a model", source_.name());
    }
    if (count < kPreambleBytes) return CutOff();
    const Preamble preamble = DecodePreamble(taken);
    if (preamble.version > kModelFileVersion) {
      return FailedPrecondition("{}: has format version {}, and this flaim knows versions up to {}; upgrade flaim",
                                source_.name(), preamble.version, kModelFileVersion);
    }
    if (preamble.version == 0) return DataLoss("{}: has no format version; copy the file again", source_.name());
    RETURN_IF_ERROR(CheckLengths(preamble, max_bytes, source_.name()));
    return preamble;
  }

  absl::StatusOr<std::string> TakeText(std::size_t bytes) {
    std::string text(bytes, '\0');
    ASSIGN_OR_RETURN(const std::size_t count, Fill(text));
    if (count < bytes) return CutOff();
    return text;
  }

  absl::StatusOr<std::vector<double>> TakeNumbers(std::uint64_t numbers) {
    std::vector<double> taken;
    while (taken.size() < numbers) {
      const std::size_t step = std::min<std::uint64_t>(numbers - taken.size(), kNumbersPerStep);
      ASSIGN_OR_RETURN(const std::string bytes, TakeText(step * kNumberBytes));
      for (std::size_t i = 0; i < step; ++i) {
        taken.push_back(std::bit_cast<double>(WordAt(bytes, i * kNumberBytes, kNumberBytes)));
      }
    }
    return taken;
  }

  absl::Status CheckEnd() {
    const auto expected = std::bit_cast<Checksum>(checksum_.Finish());
    Checksum found;
    ASSIGN_OR_RETURN(const std::size_t count, Fill(found));
    if (count < found.size()) return CutOff();
    if (found != expected) {
      return DataLoss("{}: is damaged, its checksum is wrong; copy it again, or fit the model again", source_.name());
    }
    char beyond;
    ASSIGN_OR_RETURN(const std::size_t more, source_.Read(std::span(&beyond, 1)));
    if (more > 0) return DataLoss("{}: goes on after its end; copy the file again", source_.name());
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<std::size_t> Fill(std::span<char> out) {
    std::size_t filled = 0;
    while (filled < out.size()) {
      ASSIGN_OR_RETURN(const std::size_t count, source_.Read(out.subspan(filled)));
      if (count == 0) break;
      filled += count;
    }
    checksum_.Add(AsBytes(std::string_view(out.data(), filled)));
    return filled;
  }
  absl::Status CutOff() const {
    return DataLoss("{}: is cut off; copy it again, or fit the model again", source_.name());
  }

  ByteSource& source_;
  Blake2b<kChecksumBytes> checksum_;
};

}  // namespace

absl::Status WriteEnvelope(std::string_view header, std::span<const std::span<const double>> numbers, ByteSink& sink) {
  if (header.size() > kMaxModelHeaderBytes) {
    return InvalidArgument(
        "{}: would have a header of {} bytes, where {} are allowed; use a smaller schema or workload", sink.name(),
        header.size(), kMaxModelHeaderBytes);
  }
  std::size_t count = 0;
  for (const std::span<const double> block : numbers) count += block.size();
  Blake2b<kChecksumBytes> checksum;
  const auto write = [&](std::string_view bytes) {
    checksum.Add(AsBytes(bytes));
    return sink.Write(bytes);
  };
  std::string piece(kMagic);
  AppendWord(kModelFileVersion, 4, piece);
  AppendWord(0, 4, piece);
  AppendWord(header.size(), 8, piece);
  AppendWord(count, 8, piece);
  RETURN_IF_ERROR(write(piece));
  RETURN_IF_ERROR(write(header));
  RETURN_IF_ERROR(write(std::string(PaddingAfter(header.size()), '\0')));
  for (std::span<const double> block : numbers) {
    while (!block.empty()) {
      const std::size_t step = std::min(block.size(), kNumbersPerStep);
      piece.clear();
      for (const double number : block.first(step)) {
        AppendWord(std::bit_cast<std::uint64_t>(number), kNumberBytes, piece);
      }
      RETURN_IF_ERROR(write(piece));
      block = block.subspan(step);
    }
  }
  const auto end = std::bit_cast<Checksum>(checksum.Finish());
  return sink.Write({end.data(), end.size()});
}

absl::StatusOr<ModelEnvelope> ReadEnvelope(ByteSource& source, std::int64_t max_bytes) {
  EnvelopeReader reader(source);
  ASSIGN_OR_RETURN(const Preamble preamble, reader.TakePreamble(max_bytes));
  ModelEnvelope envelope{.version = static_cast<std::uint32_t>(preamble.version), .header = {}, .numbers = {}};
  ASSIGN_OR_RETURN(envelope.header, reader.TakeText(preamble.header_bytes));
  ASSIGN_OR_RETURN(const std::string padding, reader.TakeText(PaddingAfter(preamble.header_bytes)));
  ASSIGN_OR_RETURN(envelope.numbers, reader.TakeNumbers(preamble.numbers));
  RETURN_IF_ERROR(reader.CheckEnd());
  if (preamble.flags != 0) {
    return FailedPrecondition("{}: uses flags {:#x}, which this flaim does not know; upgrade flaim", source.name(),
                              preamble.flags);
  }
  if (padding.find_first_not_of('\0') != std::string::npos) {
    return InvalidArgument("{}: has padding that is not zero; write the file again with flaim", source.name());
  }
  return envelope;
}

}  // namespace flaim
