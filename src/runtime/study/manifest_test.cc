#include "runtime/study/manifest.h"

#include "algorithms/choices/choice_json.h"
#include "algorithms/choices/choices_testing.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "runtime/study/manifest_testing.h"

namespace flaim::runtime {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string RandomText(RandomSource& random) {
  static constexpr std::string_view kPieces[] = {"a", "\"", "\\", "\n", "é", "{", "0", " ", "\t", "z"};
  std::string text = "t";
  for (std::uint64_t i = random.NextBelow(12); i > 0; --i) text += kPieces[random.NextBelow(std::size(kPieces))];
  return text;
}

std::string MaybeText(RandomSource& random) { return random.NextBelow(2) == 0 ? "" : RandomText(random); }

std::optional<double> MaybeNumber(RandomSource& random) {
  if (random.NextBelow(2) == 0) return std::nullopt;
  return random.NextUnit() * 100 - 50;
}

MethodChanges RandomMethod(RandomSource& random) {
  MethodChanges method(MaybeText(random));
  for (const Choice& choice : AllChoices()) {
    if (random.NextBelow(2) == 0) method.Set(choice.name, RandomValueOf(choice, random));
  }
  return method;
}

Manifest RandomManifest(RandomSource& random) {
  Manifest manifest = ManifestForTest(RandomMethod(random));
  manifest.study = RandomText(random);
  manifest.software = RandomText(random);
  manifest.schema = RandomText(random);
  manifest.workload = RandomText(random);
  for (char& digit : manifest.id) digit = "0123456789abcdef"[random.NextBelow(16)];
  manifest.created_unix_s = static_cast<std::int64_t>(random.NextU64());
  manifest.epsilon = random.NextUnit() * 10;
  manifest.delta = random.NextUnit() / 1e6;
  manifest.request.participation = MaybeNumber(random);
  manifest.request.availability = MaybeText(random);
  manifest.request.paper_fit = random.NextBelow(2) == 0;
  manifest.max_model_cells = static_cast<std::int64_t>(random.NextU64());
  manifest.minimum_sites = static_cast<int>(random.NextBelow(1000));
  manifest.bounds = {.dropout_share = random.NextUnit(), .colluders = static_cast<int>(random.NextBelow(1000))};
  manifest.max_rows_per_site = static_cast<std::int64_t>(random.NextU64());
  if (random.NextBelow(2) == 0) manifest.research_seed = random.NextU64();
  manifest.unfit = static_cast<UnfitRule>(random.NextBelow(3));
  random.Fill(std::as_writable_bytes(std::span(manifest.server)));
  return manifest;
}

void ExpectEqual(const Manifest& one, const Manifest& other) {
  const auto all = [](const Manifest& m) {
    return std::tie(m.study, m.id, m.software, m.created_unix_s, m.schema, m.workload, m.epsilon, m.delta,
                    m.request.participation, m.request.availability, m.request.paper_fit, m.max_model_cells,
                    m.minimum_sites, m.bounds, m.max_rows_per_site, m.research_seed, m.unfit, m.server);
  };
  EXPECT_TRUE(all(one) == all(other));
  EXPECT_TRUE(one.request.method == other.request.method);
}

TEST(Manifest, IsReadAsItWasWritten) {
  SeededRandomSource random(1, "manifests");
  for (int repeat = 0; repeat < 300; ++repeat) {
    const Manifest manifest = RandomManifest(random);
    const std::string text = ToText(manifest);
    const absl::StatusOr<Manifest> read = ParseManifest(text);
    ASSERT_TRUE(read.ok()) << read.status() << text;
    ExpectEqual(*read, manifest);
    EXPECT_EQ(ToText(*read), text);
  }
}

TEST(Manifest, HasItsTextReplacedWhereItIsNotUtf8) {
  Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
  manifest.study = "caf\xe9";
  EXPECT_THAT(ParseManifest(ToText(manifest))->study, HasSubstr("caf"));
}

// A manifest with all fields, so that each can be taken out or spoilt.
json FullManifest() {
  Manifest manifest = ManifestForTest(PresetForTest("flaim-once"));
  manifest.request.participation = 0.5;
  manifest.research_seed = 3;
  for (const Choice& choice : AllChoices()) manifest.request.method.Set(choice.name, SampleOf(choice));
  return json::parse(ToText(manifest));
}

TEST(Manifest, RefusesAFieldThatIsThereTwice) {
  std::string text = ToText(ManifestForTest(PresetForTest("flaim-once")));
  text.insert(text.find('{') + 1, R"("epsilon": 100, )");
  EXPECT_TRUE(absl::IsInvalidArgument(ParseManifest(text).status()));
}

TEST(Manifest, RefusesEveryFieldThatIsOfTheWrongKind) {
  const json full = FullManifest();
  ASSERT_TRUE(ParseManifest(full.dump()).ok());
  const json wrong[] = {json::array(), json::object(), nullptr, "text", true, -1.5};
  const auto is_refused = [](const json& manifest) {
    return absl::IsInvalidArgument(ParseManifest(manifest.dump()).status());
  };
  for (const auto& [name, value] : full.items()) {
    int accepted = 0;
    for (const json& other : wrong) {
      json spoilt = full;
      spoilt[name] = other;
      accepted += is_refused(spoilt) ? 0 : 1;
    }
    EXPECT_LE(accepted, 1) << name << " takes more than one kind of value";
    for (const json& other : {wrong[0], wrong[2]}) {
      json spoilt = full;
      spoilt[name] = other;
      EXPECT_TRUE(is_refused(spoilt)) << name;
    }
  }
  for (const auto& [name, value] : full["method"].items()) {
    for (const json& other : {wrong[0], wrong[1], wrong[2], value.is_boolean() ? json(0) : json(true)}) {
      json spoilt = full;
      spoilt["method"][name] = other;
      EXPECT_TRUE(is_refused(spoilt)) << name;
    }
    json spoilt = full;
    spoilt["method"][name] = value.is_string() ? json(-1) : json("text");
    EXPECT_TRUE(is_refused(spoilt)) << name;
  }
}

TEST(Manifest, TakesAChoiceWithinItsBoundsAndRefusesItByNameBeyondThem) {
  for (const Choice& choice : AllChoices()) {
    const std::string name = FieldName(choice);
    for (const ChoiceValue& value : OutsideOf(choice)) {
      json spoilt = FullManifest();
      spoilt["method"][name] = flaim::ToJson<json>(value);
      const absl::Status status = ParseManifest(spoilt.dump()).status();
      EXPECT_TRUE(absl::IsInvalidArgument(status)) << name << " " << TextOf(value);
      EXPECT_THAT(std::string(status.message()), HasSubstr(name));
    }
    Manifest manifest = ManifestForTest(PresetForTest("flaim-once"));
    for (const ChoiceValue& value : InsideOf(choice)) {
      manifest.request.method.Set(choice.name, value);
      const absl::StatusOr<Manifest> read = ParseManifest(ToText(manifest));
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(*read->request.method.Find(choice.name), value) << name;
    }
  }
}

// The text is signed: what it was in the first version, it is for ever.
TEST(Manifest, WritesAMethodAsItAlwaysDid) {
  MethodChanges method("naive-flaim");
  method.Set("anneal", 8);
  method.Set("local-steps", 2);
  method.Set("noise-penalty", 1);
  method.Set("one-ways", "every");
  EXPECT_EQ(json::parse(ToText(ManifestForTest(method)))["method"].dump(),
            R"({"anneal":"8","local_steps":2,"noise_penalty":1.0,"one_ways":"every",)"
            R"("preset":"naive-flaim"})");
}

TEST(Manifest, RefusesNumbersThatDoNotFit) {
  const json full = FullManifest();
  for (const char* name : {"created_unix_s", "max_model_cells", "minimum_sites", "colluders", "max_rows_per_site"}) {
    json spoilt = full;
    spoilt[name] = std::numeric_limits<std::uint64_t>::max();
    EXPECT_TRUE(absl::IsInvalidArgument(ParseManifest(spoilt.dump()).status())) << name;
    spoilt[name] = 0.5;
    EXPECT_TRUE(absl::IsInvalidArgument(ParseManifest(spoilt.dump()).status())) << name;
  }
  json spoilt = full;
  spoilt["research_seed"] = -1;
  EXPECT_TRUE(absl::IsInvalidArgument(ParseManifest(spoilt.dump()).status()));
  spoilt = full;
  spoilt["method"]["cap"] = std::int64_t{1} << 31;
  EXPECT_TRUE(absl::IsInvalidArgument(ParseManifest(spoilt.dump()).status()));
  spoilt["method"]["cap"] = -(std::int64_t{1} << 31) - 1;
  EXPECT_TRUE(absl::IsInvalidArgument(ParseManifest(spoilt.dump()).status()));
}

TEST(Manifest, RefusesFieldsThatAreMissingOrUnknown) {
  const json full = FullManifest();
  for (const auto& [name, value] : full.items()) {
    if (name == "availability" || name == "participation" || name == "research_seed") continue;
    json spoilt = full;
    spoilt.erase(name);
    EXPECT_TRUE(absl::IsInvalidArgument(ParseManifest(spoilt.dump()).status())) << name;
  }
  for (const char* place : {"", "/method"}) {
    json spoilt = full;
    spoilt[json::json_pointer(fmt::format("{}/strange", place))] = 1;
    EXPECT_THAT(std::string(ParseManifest(spoilt.dump()).status().message()), HasSubstr("strange"));
  }
}

TEST(Manifest, RefusesWhatIsNone) {
  json other_version = FullManifest();
  other_version["manifest_version"] = 1;
  json other_id = FullManifest();
  other_id["id"] = std::string(31, 'a');
  json strange_id = FullManifest();
  strange_id["id"] = std::string(32, 'A');
  json short_key = FullManifest();
  short_key["server"] = "00";
  json no_hex = FullManifest();
  no_hex["server"] = std::string(64, 'g');
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{}"), std::string("nonsense"), std::string("{\"method\": 1}"),
        other_version.dump(), other_id.dump(), strange_id.dump(), short_key.dump(), no_hex.dump()}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseManifest(text).status())) << text;
  }
}

TEST(SignedManifest, IsOpenedAsItWasSignedAndNotAfterAnyChange) {
  const Manifest manifest = ManifestForTest(PresetForTest("flaim-once"));
  const SignedManifest right = Sign(manifest, KeyForTest("coordinator"));
  const absl::StatusOr<Manifest> opened = Open(right);
  ASSERT_TRUE(opened.ok()) << opened.status();
  ExpectEqual(*opened, manifest);
  for (std::size_t byte = 0; byte < right.text.size(); ++byte) {
    for (const int change : {1, 32}) {
      SignedManifest changed = right;
      changed.text[byte] = static_cast<char>(static_cast<unsigned char>(changed.text[byte]) ^ change);
      EXPECT_FALSE(Open(changed).ok()) << "byte " << byte;
      EXPECT_NE(changed.digest(), right.digest());
    }
  }
  for (std::size_t byte = 0; byte < right.signature.size(); ++byte) {
    SignedManifest changed = right;
    changed.signature[byte] ^= 1;
    EXPECT_TRUE(absl::IsUnauthenticated(Open(changed).status())) << "byte " << byte;
  }
}

TEST(SignedManifest, IsSignedByTheCoordinatorThatItNames) {
  const Manifest manifest = ManifestForTest(PresetForTest("flaim-once"));
  EXPECT_TRUE(absl::IsUnauthenticated(Open(Sign(manifest, KeyForTest("somebody else"))).status()));
}

}  // namespace
}  // namespace flaim::runtime
