#include "model/file/model_file.h"

#include <sys/resource.h>

#include <bit>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/seeded_random_source.h"
#include "base/status.h"
#include "data/schema/random_schema_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/file/model_envelope.h"
#include "model/file/model_file_testing.h"
#include "model/inference/small_levels_testing.h"
#include "model/inference/small_model_testing.h"

namespace flaim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

absl::StatusOr<ModelFile> Read(std::string bytes, const ModelLimits& limits = {}) {
  Parallel parallel(1);
  return ReadModel(*StringSource("test.flaim", std::move(bytes)), limits, parallel);
}

std::string Message(const absl::Status& status) { return std::string(status.message()); }

std::vector<std::uint64_t> Bits(std::span<const double> numbers) {
  std::vector<std::uint64_t> bits;
  for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
  return bits;
}

void ExpectSameLevels(const Levels* found, const Levels* expected) {
  ASSERT_EQ(found == nullptr, expected == nullptr);
  if (expected == nullptr) return;
  EXPECT_EQ(found->bins(), expected->bins());
  for (AttributeIndex i = 0; i < expected->bins().values().size(); ++i) {
    EXPECT_EQ(Bits(found->SharesOf(i)), Bits(expected->SharesOf(i)));
  }
}

void ExpectReadsBack(const Schema& schema, const FitReport& report, const Model& model) {
  const std::string bytes = Written(schema, report, model);
  const absl::StatusOr<ModelFile> read = Read(bytes);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->schema, schema);
  EXPECT_EQ(read->report, report);
  EXPECT_EQ(std::signbit(read->report.quality.loss), std::signbit(report.quality.loss));
  EXPECT_EQ(read->model.domain(), model.domain());
  EXPECT_EQ(read->model.layout().cliques(), model.layout().cliques());
  EXPECT_EQ(Bits(read->model.potentials()), Bits(model.potentials()));
  ExpectSameLevels(read->model.levels(), model.levels());
  EXPECT_EQ(read->model.total(), model.total());
  EXPECT_EQ(read->model.log_partition(), model.log_partition());
  EXPECT_EQ(Written(read->schema, read->report, read->model), bytes);
}

TEST(ModelFile, ReadsBackEveryRandomModel) {
  Parallel parallel(1);
  int models = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomModel random_model = MakeRandomModel(seed, {.magnitude = 50, .zero_probability = 0.1});
    SCOPED_TRACE(random_model.Describe());
    SeededRandomSource random(seed, "report");
    const double total = 1e6 * random.NextUnit() + 0.5;
    const absl::StatusOr<Model> model =
        Model::Create(random_model.domain, random_model.cliques, random_model.potentials, total, 1 << 20, parallel);
    if (!model.ok()) continue;  // every record is excluded
    const Schema schema = SchemaOver(random_model.domain);
    ExpectReadsBack(schema, RandomReport(schema, 1 << 20, random), *model);
    ++models;
  }
  EXPECT_GT(models, 200);
}

TEST(ModelFile, ReadsBackEveryRandomModelWithLevels) {
  int models = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomModel over_bins = MakeRandomModel(seed, {.magnitude = 5, .zero_probability = 0.1});
    SCOPED_TRACE(over_bins.Describe());
    std::optional<Model> calibrated = Calibrate(over_bins);
    if (!calibrated) continue;
    SeededRandomSource random(seed, "levels and report");
    const Model model = std::move(*calibrated).WithLevels(RandomLevels(over_bins.domain, random));
    const Schema schema = SchemaOver(model.domain());
    ExpectReadsBack(schema, RandomReport(schema, 1 << 20, random, model.levels()), model);
    ++models;
  }
  EXPECT_GT(models, 200);
}

TEST(ModelFile, ReadsBackEveryRandomSchema) {
  Parallel parallel(1);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SeededRandomSource random(seed, "schema");
    const Schema schema = RandomSchema(random);
    std::vector<double> potentials(static_cast<std::size_t>(schema.domain()[0].size));
    for (double& potential : potentials) potential = random.NextUnit();
    const absl::StatusOr<Model> model =
        Model::Create(schema.domain(), {Clique({0})}, potentials, 12.5, 1 << 24, parallel);
    ASSERT_TRUE(model.ok()) << model.status();
    ExpectReadsBack(schema, RandomReport(schema, 1 << 12, random), *model);
  }
}

std::string InCorpus(const std::string& name) { return fmt::format("{}/fuzz/corpus/model/{}", FLAIM_SOURCE_DIR, name); }

void ExpectReadsAs(const std::string& path, const Schema& schema, const FitReport& report, const Model& model) {
  Parallel parallel(1);
  const absl::StatusOr<ModelFile> read = ReadModelFile(path, {}, parallel);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->schema, schema);
  EXPECT_EQ(read->report, report);
  EXPECT_EQ(Bits(read->model.potentials()), Bits(model.potentials()));
  EXPECT_EQ(read->model.layout().cliques(), model.layout().cliques());
  ExpectSameLevels(read->model.levels(), model.levels());
  EXPECT_EQ(read->model.total(), model.total());
}

std::string ContentOf(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

TEST(ModelFile, OfVersionOneStaysReadable) {
  const SmallModel small;
  ExpectReadsAs(InCorpus("version_1.flaim"), small.schema, small.report, small.model);
}

TEST(ModelFile, OfVersionTwoStaysReadableAndIsWhatIsWritten) {
  const SmallModel small;
  const SmallModelWithLevels levelled;
  const std::string plain = InCorpus("version_2.flaim");
  const std::string with_levels = InCorpus("version_2_levels.flaim");
  ExpectReadsAs(plain, small.schema, small.report, small.model);
  ExpectReadsAs(with_levels, levelled.schema, levelled.report, levelled.model);
  constexpr const char* kWhy = "what is written has changed: that needs a new version, or another reason";
  EXPECT_EQ(ContentOf(plain), Written(small.schema, small.report, small.model)) << kWhy;
  EXPECT_EQ(ContentOf(with_levels), Written(levelled.schema, levelled.report, levelled.model)) << kWhy;
}

void ExpectNoByteCanChange(const std::string& good) {
  ASSERT_TRUE(Read(good).ok());
  for (std::size_t position = 0; position < good.size(); ++position) {
    for (const int change : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff}) {
      std::string bad = good;
      bad[position] = static_cast<char>(bad[position] ^ change);
      const absl::Status status = Read(std::move(bad)).status();
      ASSERT_FALSE(status.ok()) << "byte " << position << " changed by " << change;
      ASSERT_THAT(Message(status), StartsWith("test.flaim: "));
    }
  }
}

TEST(ModelFile, WithAnyByteChangedIsRefused) {
  const SmallModel small;
  ExpectNoByteCanChange(Written(small.schema, small.report, small.model));
  const SmallModelWithLevels levelled;
  ExpectNoByteCanChange(Written(levelled.schema, levelled.report, levelled.model));
}

TEST(ModelFile, OfAnyOtherLengthIsRefused) {
  const SmallModel small;
  const std::string good = Written(small.schema, small.report, small.model);
  for (std::size_t length = 0; length < good.size(); ++length) {
    ASSERT_FALSE(Read(good.substr(0, length)).ok()) << "cut after " << length << " bytes";
  }
  for (const std::size_t more : {1, 2, 7, 8, 32, 100000}) {
    EXPECT_THAT(Message(Read(good + std::string(more, '\0')).status()), HasSubstr("goes on after its end"));
  }
  EXPECT_THAT(Message(Read(good + good).status()), HasSubstr("goes on after its end"));
}

TEST(ModelFile, IsLimitedInBytesAndCells) {
  const SmallModel small;
  const std::string bytes = Written(small.schema, small.report, small.model);
  const auto length = static_cast<std::int64_t>(bytes.size());
  EXPECT_TRUE(Read(bytes, {.max_bytes = length, .max_cells = 6}).ok());
  const absl::Status too_long = Read(bytes, {.max_bytes = length - 1, .max_cells = 6}).status();
  EXPECT_EQ(too_long.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(Message(too_long), AllOf(HasSubstr("test.flaim"), HasSubstr("allow more")));
  const absl::Status too_many_cells = Read(bytes, {.max_bytes = length, .max_cells = 5}).status();
  EXPECT_EQ(too_many_cells.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(Message(too_many_cells), AllOf(HasSubstr("test.flaim"), HasSubstr("allow more memory")));
}

template <typename Small>
class ChangedNumbersOf : public testing::Test {
 protected:
  ChangedNumbersOf() {
    const std::unique_ptr<ByteSource> source =
        StringSource("test.flaim", Written(small_.schema, small_.report, small_.model));
    envelope_ = ReadEnvelope(*source, 1 << 20).value();
  }
  absl::Status StatusOfReading() const {
    std::string bytes;
    const std::span<const double> numbers = envelope_.numbers;
    const auto sink = StringSink("test.flaim", &bytes);
    EXPECT_TRUE(WriteEnvelope(envelope_.header, std::span(&numbers, 1), *sink).ok() && sink->Commit().ok());
    return Read(bytes).status();
  }

  Small small_;
  ModelEnvelope envelope_;
};

using ChangedNumbers = ChangedNumbersOf<SmallModel>;
using ChangedLevels = ChangedNumbersOf<SmallModelWithLevels>;

TEST_F(ChangedNumbers, AreReadWhenTheyAreTheOldOnes) { EXPECT_TRUE(StatusOfReading().ok()); }

TEST_F(ChangedNumbers, AreRefusedWhenAPotentialIsNotANumberBelowInfinity) {
  for (const double bad : {kInfinity, std::nan("")}) {
    for (const std::size_t position : {std::size_t{0}, small_.model.potentials().size() - 1}) {
      const double old = std::exchange(envelope_.numbers[position], bad);
      EXPECT_THAT(Message(StatusOfReading()), AllOf(StartsWith("test.flaim: a potential"), HasSubstr("fit the model")));
      envelope_.numbers[position] = old;
    }
  }
}

TEST_F(ChangedNumbers, AreRefusedWhenTheyExcludeEveryRecord) {
  for (std::size_t i = 6; i < 9; ++i) envelope_.numbers[i] = -kInfinity;
  EXPECT_THAT(Message(StatusOfReading()), HasSubstr("exclude every record"));
}

TEST_F(ChangedNumbers, AreRefusedWhenAMeasuredValueIsNotFinite) {
  for (const double bad : {kInfinity, -kInfinity, std::nan("")}) {
    envelope_.numbers.back() = bad;
    EXPECT_THAT(Message(StatusOfReading()), HasSubstr("the measurement of sex,age has a value that is not finite"));
  }
}

TEST_F(ChangedNumbers, AreRefusedWhenThereAreTooManyOrTooFew) {
  envelope_.numbers.push_back(0);
  EXPECT_THAT(Message(StatusOfReading()), HasSubstr("1 numbers too many"));
  envelope_.numbers.resize(envelope_.numbers.size() - 2);
  EXPECT_THAT(Message(StatusOfReading()), HasSubstr("end inside the table of sex,age"));
  envelope_.numbers.clear();
  EXPECT_THAT(Message(StatusOfReading()), HasSubstr("end inside the table of sex,age"));
}

// 9 potentials, 5 shares, and the values of three measurements.
constexpr std::size_t kFirstShare = 9;

TEST_F(ChangedLevels, AreRefusedWhenAShareIsNone) {
  EXPECT_TRUE(StatusOfReading().ok());
  for (const double bad : {-0.5, kInfinity, -kInfinity, std::nan("")}) {
    for (const std::size_t share : {0, 4}) {
      const double old = std::exchange(envelope_.numbers[kFirstShare + share], bad);
      EXPECT_THAT(Message(StatusOfReading()), AllOf(StartsWith("test.flaim: column age"), HasSubstr("is no share")));
      envelope_.numbers[kFirstShare + share] = old;
    }
  }
  envelope_.numbers[kFirstShare + 2] = 0;
  EXPECT_THAT(Message(StatusOfReading()), HasSubstr("the shares of a bin add up to 0"));
}

TEST_F(ChangedLevels, AreRefusedWhenThereAreTooManyOrTooFew) {
  envelope_.numbers.push_back(0);
  EXPECT_THAT(Message(StatusOfReading()), HasSubstr("1 numbers too many"));
  envelope_.numbers.resize(envelope_.numbers.size() - 2);
  EXPECT_THAT(Message(StatusOfReading()), HasSubstr("end inside the table of age"));
  envelope_.numbers.resize(kFirstShare + 4);
  EXPECT_THAT(Message(StatusOfReading()), HasSubstr("end inside the table of age"));
}

TEST(ModelWriting, RefusesMeasurementsThatAreNeitherOverValuesNorOverBins) {
  SmallModelWithLevels levelled;
  levelled.report.measurements[2].values.pop_back();
  std::string bytes;
  EXPECT_THAT(Message(WriteModel(levelled.schema, levelled.report, levelled.model, *StringSink("test.flaim", &bytes))),
              HasSubstr("the measurement of age has 4 values for 5 cells"));
}

TEST(ModelWriting, RefusesWhatCouldNotBeReadAgain) {
  const SmallModel small;
  const auto refusal = [&](const auto& change) {
    FitReport report = small.report;
    change(report);
    std::string bytes = "old";
    const absl::Status status = WriteModel(small.schema, report, small.model, *StringSink("test.flaim", &bytes));
    EXPECT_EQ(bytes, "old");
    return Message(status);
  };
  EXPECT_THAT(refusal([](FitReport& report) { report.epsilon = std::nan(""); }),
              AllOf(StartsWith("test.flaim: is not written"), HasSubstr("report.epsilon must be a number")));
  EXPECT_THAT(refusal([](FitReport& report) { report.noise = "\xff"; }), HasSubstr("UTF-8"));
  EXPECT_THAT(refusal([](FitReport& report) { report.measurements[0].values.pop_back(); }),
              HasSubstr("the measurement of sex has 1 values for 2 cells"));
  EXPECT_THAT(refusal([](FitReport& report) { report.measurements[1].values[3] = kInfinity; }),
              HasSubstr("not finite"));
  EXPECT_THAT(refusal([](FitReport& report) { report.measurements[1].variance = 0; }), HasSubstr("positive"));
  EXPECT_THAT(refusal([](FitReport& report) { report.bounds[0].clique = Clique({2}); }), HasSubstr("below 2"));
}

TEST(ModelWriting, RefusesTheSchemaOfAnotherTable) {
  const SmallModel small;
  std::string bytes;
  const Schema other = SchemaOver(Domain::Create({{"sex", 2}, {"age", 4}}).value());
  EXPECT_THAT(Message(WriteModel(other, small.report, small.model, *StringSink("test.flaim", &bytes))),
              HasSubstr("the model has 'age' with 3 codes, where its schema has 'age' with 4"));
}

class ModelOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = testing::TempDir() + "/model_file_XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    path_ = folder + "/model.flaim";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  absl::Status Write() const { return WriteModelFile(path_, small_.schema, small_.report, small_.model); }
  std::string Content() const { return ContentOf(path_); }
  std::ptrdiff_t Files() const {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
  }

  SmallModel small_;
  std::string folder_;
  std::string path_;
};

TEST_F(ModelOnDisk, IsTheSameEveryTime) {
  Parallel parallel(1);
  ASSERT_TRUE(Write().ok());
  const std::string first = Content();
  ASSERT_TRUE(Write().ok());
  EXPECT_EQ(Content(), first);
  EXPECT_EQ(Files(), 1);
  const absl::StatusOr<ModelFile> read = ReadModelFile(path_, {}, parallel);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->report, small_.report);
}

// A file-size limit stands in for a full disk: the kernel refuses the same write.
TEST_F(ModelOnDisk, KeepsTheOldFileWhenTheDiskIsFull) {
  ASSERT_TRUE(Write().ok());
  const std::string old = Content();
  struct rlimit saved {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &saved), 0);
  const auto saved_handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit limit { 100, saved.rlim_max };
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  small_.report.rounds = 4;
  const absl::Status status = Write();
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &saved), 0);
  std::signal(SIGXFSZ, saved_handler);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(Message(status), AllOf(HasSubstr("model.flaim: cannot be written"), HasSubstr("free some space")));
  EXPECT_EQ(Content(), old);
  EXPECT_EQ(Files(), 1);
}

TEST_F(ModelOnDisk, ReportsAFullDevice) {
  const absl::Status status = WriteModelFile("/dev/full", small_.schema, small_.report, small_.model);
  EXPECT_THAT(Message(status), HasSubstr("No space left on device"));
}

// Takes `writes_left` writes, then fails.
class FailingSink final : public ByteSink {
 public:
  explicit FailingSink(int writes_left) : writes_left_(writes_left) {}
  absl::Status Write(std::string_view) override {
    return writes_left_-- > 0 ? absl::OkStatus() : Unavailable("the network is gone");
  }
  absl::Status Commit() override {
    committed_ = true;
    return absl::OkStatus();
  }
  const std::string& name() const override { return name_; }
  bool committed() const { return committed_; }

 private:
  const std::string name_ = "failing";
  int writes_left_;
  bool committed_ = false;
};

TEST(ModelWriting, NeverCommitsAfterAFailedWrite) {
  const SmallModel small;
  int writes = 0;
  for (; writes < 100; ++writes) {
    FailingSink sink(writes);
    const absl::Status status = WriteModel(small.schema, small.report, small.model, sink);
    EXPECT_EQ(status.ok(), sink.committed());
    if (status.ok()) break;
    EXPECT_EQ(Message(status), "the network is gone");
  }
  EXPECT_GT(writes, 3);
  EXPECT_LT(writes, 100);
}

}  // namespace
}  // namespace flaim
