#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "io/json_fields.h"
#include "nlohmann/json.hpp"
#include "runtime/observe/study_status.h"

namespace flaim::runtime {
namespace {

using Json = nlohmann::ordered_json;

// Lists the fields of a struct, once for the writer and the reader.
template <typename Struct>
struct FieldsOf;

class Writer {
 public:
  template <typename T>
  void Field(const char* name, const T& value) {
    object_[name] = ToValue(value);
  }
  Json Take() { return std::move(object_); }

  static Json ToValue(const std::string& text) { return text; }
  static Json ToValue(bool truth) { return truth; }
  static Json ToValue(std::int64_t number) { return number; }
  static Json ToValue(std::uint64_t number) { return number; }
  static Json ToValue(StudyPhase phase) { return ToString(phase); }
  static Json ToValue(LogLevel level) { return ToString(level); }
  static Json ToValue(double number) {
    if (std::isfinite(number)) return number;
    return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
  }
  static Json ToValue(const LogValue& value) {
    return std::visit([](const auto& one) { return ToValue(one); }, value);
  }
  static Json ToValue(const std::vector<std::pair<std::string, LogValue>>& fields) {
    Json object = Json::object();
    for (const auto& [name, value] : fields) object[name] = ToValue(value);
    return object;
  }
  template <typename T>
  static Json ToValue(const std::optional<T>& value) {
    return value ? ToValue(*value) : Json();
  }
  template <typename T>
  static Json ToValue(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(ToValue(value));
    return list;
  }
  template <typename T>
  static Json ToValue(const T& value) {
    Writer writer;
    FieldsOf<T>::Exchange(writer, value);
    return writer.Take();
  }

 private:
  Json object_ = Json::object();
};

class Reader {
 public:
  Reader(const Json& object, std::string place) : object_(object), place_(std::move(place)) {}

  template <typename T>
  void Field(const char* name, T& value) {
    ++fields_;
    if (!status_.ok()) return;
    const std::string place = fmt::format("{}.{}", place_, name);
    const auto found = object_.find(name);
    status_ = found == object_.end() ? InvalidArgument("there is no {}; was it written by another version?", place)
                                     : FromValue(*found, place, value);
  }
  absl::Status Finish() const {
    if (status_.ok() && object_.size() != fields_) {
      return InvalidArgument("{} has a field too many; was it written by another version?", place_);
    }
    return status_;
  }

  static absl::Status FromValue(const Json& json, const std::string& place, std::string& text) {
    return Get(json.is_string(), json, place, text);
  }
  static absl::Status FromValue(const Json& json, const std::string& place, bool& truth) {
    return Get(json.is_boolean(), json, place, truth);
  }
  static absl::Status FromValue(const Json& json, const std::string& place, std::uint64_t& number) {
    return Get(json.is_number_unsigned(), json, place, number);
  }
  static absl::Status FromValue(const Json& json, const std::string& place, std::int64_t& number) {
    return Get(IsSigned(json), json, place, number);
  }
  static absl::Status FromValue(const Json& json, const std::string& place, double& number) {
    if (json.is_string()) {
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      for (const double special : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
        if (Writer::ToValue(special) == json) return number = special, absl::OkStatus();
      }
    }
    return Get(json.is_number_float(), json, place, number);
  }
  static absl::Status FromValue(const Json& json, const std::string& place, StudyPhase& phase) {
    for (const StudyPhase known : {StudyPhase::kEnrolling, StudyPhase::kWaiting, StudyPhase::kRunning,
                                   StudyPhase::kFinished, StudyPhase::kFailed}) {
      if (Writer::ToValue(known) == json) return phase = known, absl::OkStatus();
    }
    return Unexpected(place);
  }
  static absl::Status FromValue(const Json& json, const std::string& place, LogLevel& level) {
    for (const LogLevel known : {LogLevel::kInfo, LogLevel::kWarning, LogLevel::kError}) {
      if (Writer::ToValue(known) == json) return level = known, absl::OkStatus();
    }
    return Unexpected(place);
  }
  static absl::Status FromValue(const Json& json, const std::string& place, LogValue& value) {
    if (json.is_string()) return value = json.get<std::string>(), absl::OkStatus();
    if (json.is_boolean()) return value = json.get<bool>(), absl::OkStatus();
    if (json.is_number_float()) return value = json.get<double>(), absl::OkStatus();
    if (IsSigned(json)) return value = json.get<std::int64_t>(), absl::OkStatus();
    return Unexpected(place);
  }
  static absl::Status FromValue(const Json& json, const std::string& place,
                                std::vector<std::pair<std::string, LogValue>>& fields) {
    if (!json.is_object()) return Unexpected(place);
    for (const auto& [name, value] : json.items()) {
      RETURN_IF_ERROR(FromValue(value, place, fields.emplace_back(name, LogValue()).second));
    }
    return absl::OkStatus();
  }
  template <typename T>
  static absl::Status FromValue(const Json& json, const std::string& place, std::optional<T>& value) {
    if (json.is_null()) return value.reset(), absl::OkStatus();
    return FromValue(json, place, value.emplace());
  }
  template <typename T>
  static absl::Status FromValue(const Json& json, const std::string& place, std::vector<T>& values) {
    if (!json.is_array()) return Unexpected(place);
    for (const Json& value : json) {
      const std::string place_of_value = fmt::format("{}[{}]", place, values.size());
      RETURN_IF_ERROR(FromValue(value, place_of_value, values.emplace_back()));
    }
    return absl::OkStatus();
  }
  template <typename T>
  static absl::Status FromValue(const Json& json, const std::string& place, T& value) {
    if (!json.is_object()) return Unexpected(place);
    Reader reader(json, place);
    FieldsOf<T>::Exchange(reader, value);
    return reader.Finish();
  }

 private:
  static absl::Status Unexpected(const std::string& place) {
    return InvalidArgument("{} is not as expected; was it written by another version?", place);
  }
  static bool IsSigned(const Json& json) {
    constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (json.is_number_unsigned()) return json.get<std::uint64_t>() <= kLargest;
    return json.is_number_integer();
  }
  template <typename T>
  static absl::Status Get(bool is_expected, const Json& json, const std::string& place, T& value) {
    if (!is_expected) return Unexpected(place);
    value = json.get<T>();
    return absl::OkStatus();
  }

  const Json& object_;
  const std::string place_;
  std::size_t fields_ = 0;
  absl::Status status_;
};

template <>
struct FieldsOf<LogCounts> {
  static void Exchange(auto& side, auto& value) {
    side.Field("infos", value.infos);
    side.Field("warnings", value.warnings);
    side.Field("errors", value.errors);
  }
};

template <>
struct FieldsOf<LogLine> {
  static void Exchange(auto& side, auto& value) {
    side.Field("time_unix_ms", value.time_unix_ms);
    side.Field("level", value.level);
    side.Field("event", value.event);
    side.Field("fields", value.fields);
  }
};

template <>
struct FieldsOf<SiteStatus> {
  static void Exchange(auto& side, auto& value) {
    side.Field("name", value.name);
    side.Field("is_online", value.is_online);
    side.Field("is_approved", value.is_approved);
    side.Field("fingerprint", value.fingerprint);
    side.Field("last_seen_unix_ms", value.last_seen_unix_ms);
    side.Field("rounds_served", value.rounds_served);
    side.Field("rho_spent", value.rho_spent);
    side.Field("sent_bytes", value.sent_bytes);
    side.Field("received_bytes", value.received_bytes);
  }
};

template <>
struct FieldsOf<RoundStatus> {
  static void Exchange(auto& side, auto& value) {
    side.Field("round", value.round);
    side.Field("members", value.members);
    side.Field("chosen", value.chosen);
    side.Field("sigma", value.sigma);
    side.Field("records", value.records);
    side.Field("seconds", value.seconds);
  }
};

template <>
struct FieldsOf<SumStatus> {
  static void Exchange(auto& side, auto& value) {
    side.Field("name", value.name);
    side.Field("stage", value.stage);
    side.Field("answered", value.answered);
    side.Field("expected", value.expected);
  }
};

template <>
struct FieldsOf<StudyStatus> {
  static void Exchange(auto& side, auto& value) {
    side.Field("study", value.study);
    side.Field("method", value.method);
    side.Field("software", value.software);
    side.Field("manifest", value.manifest);
    side.Field("roster", value.roster);
    side.Field("phase", value.phase);
    side.Field("is_research", value.is_research);
    side.Field("epsilon", value.epsilon);
    side.Field("delta", value.delta);
    side.Field("rho_allowance", value.rho_allowance);
    side.Field("share_spent", value.share_spent);
    side.Field("started_unix_ms", value.started_unix_ms);
    side.Field("now_unix_ms", value.now_unix_ms);
    side.Field("seconds_left", value.seconds_left);
    side.Field("minimum_sites", value.minimum_sites);
    side.Field("rounds_planned", value.rounds_planned);
    side.Field("sites", value.sites);
    side.Field("rounds", value.rounds);
    side.Field("sum", value.sum);
    side.Field("result", value.result);
    side.Field("failure", value.failure);
    side.Field("log", value.log);
    side.Field("log_counts", value.log_counts);
  }
};

}  // namespace

std::string ToJson(const StudyStatus& status) {
  return Writer::ToValue(status).dump(-1, ' ', false, Json::error_handler_t::replace);
}

absl::StatusOr<StudyStatus> ParseStudyStatus(const std::string& json) {
  const absl::StatusOr<Json> parsed = ParseJsonStrictly<Json>(json);
  if (!parsed.ok()) {
    return InvalidArgument("the status cannot be read, was it cut off? {}", std::string(parsed.status().message()));
  }
  StudyStatus status;
  RETURN_IF_ERROR(Reader::FromValue(*parsed, "status", status));
  return status;
}

}  // namespace flaim::runtime
