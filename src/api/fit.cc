#include "flaim/fit.h"

#include <utility>

#include "api/error.h"
#include "api/model_parts.h"
#include "app/fit.h"
#include "app/ledger/data_ledger.h"
#include "base/status.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"

namespace flaim::api {
namespace {

absl::StatusOr<FitSettings> SettingsOf(const FitRequest& request) {
  ASSIGN_OR_RETURN(Schema schema, LoadSchema(request.schema));
  flaim::FitRequest wanted;
  wanted.epsilon = request.epsilon;
  wanted.delta = request.delta;
  wanted.workload = request.workload;
  return MakeOneTableSettings(wanted, std::move(schema));
}

absl::StatusOr<ModelFile> FitTable(const FitRequest& request) {
  ASSIGN_OR_RETURN(FitSettings settings, SettingsOf(request));
  ASSIGN_OR_RETURN(const std::string ledger_path,
                   LedgerPathFor({request.data, request.ledger, request.is_separate_ledger}));
  ASSIGN_OR_RETURN(const Table table, ReadTable(request.data, settings.schema));
  const SystemClock clock;
  Parallel parallel(request.threads.value_or(Parallel::HardwareThreads()));
  FitAccount account;
  account.ledger = ledger_path;
  account.data.name = request.data;
  account.rows = std::make_shared<TableRows>(table);
  ASSIGN_OR_RETURN(PaidFit fit, PaidFit::Open(settings, FitIdentity{"", request.research_seed}, std::move(account),
                                              clock, parallel));
  if (request.on_other_ledger && fit.other_ledgers().ok()) {
    for (const std::string& other : *fit.other_ledgers()) request.on_other_ledger(other);
  }
  NoProgress nobody;
  ASSIGN_OR_RETURN(FittedModel fitted, fit.Run(parallel, nobody));
  return ModelFile{std::move(settings.schema), std::move(fitted.report), std::move(fitted.model)};
}

}  // namespace

Result<Model> Fit(const FitRequest& request) {
  if (request.threads && (*request.threads < 1 || *request.threads > 1024)) {
    return Error{ErrorKind::kRefused, "threads must be from 1 to 1024"};
  }
  absl::StatusOr<ModelFile> fitted = FitTable(request);
  if (!fitted.ok()) return ErrorOf(fitted.status());
  return Model(std::make_unique<Model::Parts>(Model::Parts{*std::move(fitted)}));
}

}  // namespace flaim::api
