#include "runtime/study/manifest.h"

#include <set>
#include <type_traits>

#include "algorithms/choices/choice_json.h"
#include "base/status.h"
#include "io/hex.h"
#include "io/json_fields.h"
#include "nlohmann/json.hpp"

namespace flaim::runtime {
namespace {

using nlohmann::json;

constexpr int kVersion = 2;
constexpr std::size_t kMaxManifestBytes = std::size_t{16} << 20;

// One walk over all fields but the method, for writing and for reading.
template <typename Visitor, typename M>
void VisitManifest(Visitor&& visit, M& manifest) {
  visit("study", manifest.study);
  visit("id", manifest.id);
  visit("software", manifest.software);
  visit("created_unix_s", manifest.created_unix_s);
  visit("schema", manifest.schema);
  visit("workload", manifest.workload);
  visit("epsilon", manifest.epsilon);
  visit("delta", manifest.delta);
  visit("participation", manifest.request.participation);
  visit("availability", manifest.request.availability);
  visit("paper_fit", manifest.request.paper_fit);
  visit("max_model_cells", manifest.max_model_cells);
  visit("minimum_sites", manifest.minimum_sites);
  visit("dropout_share", manifest.bounds.dropout_share);
  visit("colluders", manifest.bounds.colluders);
  visit("max_rows_per_site", manifest.max_rows_per_site);
  visit("research_seed", manifest.research_seed);
}

struct Writer {
  json& out;

  void operator()(const char* name, const std::string& text) const {
    if (!text.empty()) out[name] = text;
  }
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void operator()(const char* name, const Number& number) const { out[name] = number; }
  template <typename Number>
  void operator()(const char* name, const std::optional<Number>& number) const {
    if (number) out[name] = *number;
  }
};

absl::Status UnknownField(const std::string& name) {
  return InvalidArgument(
      "the manifest has a field '{}' that this version does not know: use the version it was made with", name);
}

struct Reader {
  const json& in;
  std::set<std::string> known = {};
  absl::Status status = absl::OkStatus();

  void operator()(const char* name, std::string& text) {
    known.insert(name);
    if (!in.contains(name)) return;
    if (!in[name].is_string()) return Refuse(name);
    text = in[name].get<std::string>();
  }
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void operator()(const char* name, Number& number) {
    known.insert(name);
    if (!in.contains(name)) return Refuse(name);
    Read(name, number);
  }
  template <typename Number>
  void operator()(const char* name, std::optional<Number>& number) {
    known.insert(name);
    if (!in.contains(name)) return;
    Number value{};
    Read(name, value);
    number = value;
  }
  template <typename Number>
  void Read(const char* name, Number& number) {
    const json& value = in[name];
    if constexpr (std::is_same_v<Number, bool>) {
      if (!value.is_boolean()) return Refuse(name);
    } else if constexpr (std::is_floating_point_v<Number>) {
      if (!value.is_number()) return Refuse(name);
    } else if constexpr (std::is_unsigned_v<Number>) {
      if (!value.is_number_unsigned()) return Refuse(name);
    } else {
      if (!value.is_number_integer() || !Fits<Number>(value)) return Refuse(name);
    }
    number = value.get<Number>();
  }
  template <typename Number>
  static bool Fits(const json& value) {
    if (value.is_number_unsigned()) {
      return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
    }
    return value.get<std::int64_t>() >= std::numeric_limits<Number>::min();
  }
  void Refuse(const char* name) {
    if (status.ok()) status = InvalidArgument("the manifest's '{}' is missing or not what it should be", name);
  }
  void RefuseOthers(const std::set<std::string>& also_known) {
    for (const auto& [name, value] : in.items()) {
      if (known.contains(name) || also_known.contains(name) || !status.ok()) continue;
      status = UnknownField(name);
    }
  }
};

json Written(const ChoiceSetting& setting) {
  const auto* real = std::get_if<RealNumbers>(&setting.choice().kind);
  if (real != nullptr && real->is_text) return fmt::format("{}", std::get<double>(setting.value()));
  return ToJson<json>(setting.value());
}

// What a method leaves as the preset has it is left out.
json ToJson(const MethodChanges& method) {
  json out = json::object();
  if (!method.preset.empty()) out["preset"] = method.preset;
  for (const ChoiceSetting& setting : method.settings()) out[FieldName(setting.choice())] = Written(setting);
  return out;
}

std::optional<ChoiceValue> ValueIn(const json& in) {
  if (in.is_boolean()) return in.get<bool>();
  if (in.is_string()) return in.get<std::string>();
  if (in.is_number_float()) return in.get<double>();
  if (in.is_number_unsigned() && !Reader::Fits<std::int64_t>(in)) return std::nullopt;
  if (in.is_number_integer()) return in.get<std::int64_t>();
  return std::nullopt;
}

absl::StatusOr<ChoiceSetting> ReadSetting(const std::string& name, const json& in) {
  const Choice* choice = FindField(name);
  if (choice == nullptr) return UnknownField(name);
  const std::optional<ChoiceValue> value = ValueIn(in);
  if (!value) return InvalidArgument("the manifest's '{}' is not {}", name, WhatBelongs(*choice));
  const std::string misfit = ExplainMisfit(*choice, *value);
  if (!misfit.empty()) return InvalidArgument("the manifest's '{}': {}", name, misfit);
  return ChoiceSetting::Create(*choice, *value);
}

absl::StatusOr<MethodChanges> ReadMethod(const json& in) {
  MethodChanges method;
  for (const auto& [name, value] : in.items()) {
    if (name == "preset") {
      if (!value.is_string()) return InvalidArgument("the manifest's 'preset' is not a text");
      method.preset = value.get<std::string>();
      continue;
    }
    ASSIGN_OR_RETURN(const ChoiceSetting setting, ReadSetting(name, value));
    method.Set(setting);
  }
  return method;
}

bool IsStudyId(const std::string& id) {
  return id.size() == 32 && id.find_first_not_of("0123456789abcdef") == std::string::npos;
}

template <typename Array>
absl::Status ReadHex(const json& in, const char* name, Array& out) {
  if (!in.contains(name) || !in[name].is_string()) return InvalidArgument("the manifest has no '{}'", name);
  ASSIGN_OR_RETURN(const Bytes bytes, FromHex(in[name].get<std::string>()));
  if (bytes.size() != out.size()) return InvalidArgument("the manifest's '{}' has the wrong length", name);
  std::copy(bytes.begin(), bytes.end(), out.begin());
  return absl::OkStatus();
}

Digest DigestOfManifest(const std::string& text) {
  return Transcript("flaim study manifest").Add(AsBytes(text)).Finish();
}

}  // namespace

std::string ToText(const Manifest& manifest) {
  json out;
  VisitManifest(Writer{out}, manifest);
  out["method"] = ToJson(manifest.request.method);
  out["server"] = ToHex(manifest.server);
  out["unfit"] = NameOf(manifest.unfit);
  out["manifest_version"] = kVersion;
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

absl::StatusOr<Manifest> ParseManifest(const std::string& text) {
  if (text.size() > kMaxManifestBytes) return InvalidArgument("a manifest of {} bytes is too large", text.size());
  const absl::StatusOr<json> parsed = ParseJsonStrictly(text);
  if (!parsed.ok()) {
    return InvalidArgument("this is not the manifest of a study: {}", std::string(parsed.status().message()));
  }
  const json& in = *parsed;
  if (!in.is_object() || !in.contains("method") || !in["method"].is_object()) {
    return InvalidArgument("this is not the manifest of a study");
  }
  if (!in.contains("manifest_version") || in["manifest_version"] != kVersion) {
    return InvalidArgument(
        "the manifest is of another version of this software, and this one reads version {}: make the study again",
        kVersion);
  }
  Manifest manifest;
  Reader reader{in};
  VisitManifest(reader, manifest);
  reader.RefuseOthers({"method", "server", "unfit", "manifest_version"});
  RETURN_IF_ERROR(reader.status);
  ASSIGN_OR_RETURN(manifest.request.method, ReadMethod(in["method"]));
  RETURN_IF_ERROR(ReadHex(in, "server", manifest.server));
  if (!in.contains("unfit") || !in["unfit"].is_string()) return InvalidArgument("the manifest has no 'unfit'");
  ASSIGN_OR_RETURN(manifest.unfit, ParseUnfitRule(in["unfit"].get<std::string>()));
  for (const std::string* field : {&manifest.study, &manifest.software, &manifest.schema, &manifest.workload}) {
    if (field->empty()) return InvalidArgument("the manifest lacks its study, software, schema or workload");
  }
  if (!IsStudyId(manifest.id)) return InvalidArgument("the manifest's 'id' is not one");
  return manifest;
}

Digest SignedManifest::digest() const { return DigestOfManifest(text); }

SignedManifest Sign(const Manifest& manifest, const secagg::SigningKey& key) {
  SignedManifest made{.text = ToText(manifest), .signature = {}};
  made.signature = key.Sign(made.digest());
  return made;
}

absl::StatusOr<Manifest> Open(const SignedManifest& signed_manifest) {
  ASSIGN_OR_RETURN(Manifest manifest, ParseManifest(signed_manifest.text));
  if (!secagg::IsSignedBy(manifest.server, signed_manifest.digest(), signed_manifest.signature)) {
    return absl::UnauthenticatedError("the manifest is not signed by the coordinator that it names");
  }
  return manifest;
}

}  // namespace flaim::runtime
