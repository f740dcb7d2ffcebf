#include "datasets/catalogue.h"

#include <algorithm>

#include "base/status.h"
#include "fmt/ranges.h"
#include "io/message_text.h"

namespace flaim {
namespace {

constexpr const char* kCreditRemark =
    "a genuine subset of the original: all 492 frauds and 27,253 of the 284,315 other rows, so frauds are ten times as "
    "frequent as in the original";

std::vector<DatasetEntry> PaperDatasets() {
  std::vector<DatasetEntry> entries;
  entries.push_back(
      {.name = "adult",
       .title = "Adult",
       .file = "aim_adult.csv.xz",
       .sha256 = "1ac4501c30db29a211ea328b7e1a6bc3e5494a561f2d38a74d28fd09a8a2d88a",
       .rows = 48'842,
       .columns = 14,
       .label = "income>50K",
       .origin = "the discretised Adult file of the private-pgm project (Apache-2.0); data from UCI, "
                 "Adult (CC BY 4.0)",
       .used_rows = 48'842,
       .schema_file = {"aim_adult-domain.json", "734f07d75cbc2acbe711984e6db520b3e95c9c727cf448c528ce0b38347bb147"}});
  entries.push_back(
      {.name = "magic",
       .title = "Magic",
       .file = "magic.csv.xz",
       .sha256 = "10e9219bd5958e8c8dfa498099de83f377742d301c5b9b1da36461d4da0b326c",
       .rows = 19'020,
       .columns = 11,
       .label = "class",
       .origin = "UCI, MAGIC Gamma Telescope, magic04.data (CC BY 4.0)",
       .used_rows = 19'020,
       .schema_file = {"magic.schema.json", "0e910d7550201f2454bd7b285a8d98ddb524c6c9aec4969c54c8ec91e3ff1eaf"}});
  entries.push_back(
      {.name = "census",
       .title = "Census",
       .file = "census.csv.xz",
       .sha256 = "7703f0c88b133cec45bbb93ecf968b717e4e88fe04be89c539b0352127c74266",
       .rows = 299'285,
       .columns = 41,
       .label = "label",
       .share = 0.3,
       .origin = "UCI, Census-Income (KDD), census-income.data and census-income.test (CC BY 4.0)",
       .used_rows = 89'786,
       .schema_file = {"census.schema.json", "a4ce7f45125a1982b9a8baa0e3fca31e8fca0fb1bc66e62befdc056e8c01c0d0"},
       .dropped_columns = {"instance weight"}});
  entries.push_back(
      {.name = "covtype",
       .title = "Covtype",
       .file = "covtype.csv.xz",
       .sha256 = "ba3c00d638416aef486f074de481e322bb12dcef46060034b1e0bea6240a8dc1",
       .rows = 581'012,
       .columns = 55,
       .label = "Cover_Type",
       .share = 0.2,
       .origin = "UCI, Covertype, covtype.data (CC BY 4.0; copyright Jock A. Blackard and Colorado State "
                 "University)",
       .used_rows = 116'203,
       .schema_file = {"covtype.schema.json", "8af27c85832b6e1e892469188a22d9b732b9d6daf3986928abc31e745190dfb4"}});
  entries.push_back(
      {.name = "credit",
       .title = "Credit (subset)",
       .file = "credit.csv.xz",
       .sha256 = "f439a0943e28777a73d96365c7a85c66bddea00f711d7d2a38061802993087ad",
       .rows = 27'745,
       .columns = 30,
       .label = "Class",
       .origin = "Kaggle, Credit Card Fraud Detection, creditcard.csv, Universite Libre de Bruxelles and "
                 "Worldline (DbCL 1.0)",
       .remark = kCreditRemark,
       .used_rows = 27'745,
       .schema_file = {"credit.schema.json", "8f3344eecb209ce99adfd38ce281ed012096689203c73a28fd02537e903aaccf"},
       .dropped_columns = {"Time"}});
  entries.push_back(
      {.name = "intrusion",
       .title = "Intrusion",
       .file = "intrusion.csv.xz",
       .sha256 = "697c58224f651f67d0d79a2d02045c92774adc82c3b7ddcd4a13c4882ca8f1f2",
       .rows = 494'021,
       .columns = 40,
       .label = "label",
       .share = 0.4,
       .origin = "UCI KDD Archive, KDD Cup 1999, kddcup.data_10_percent (CC BY 4.0)",
       .used_rows = 197'608,
       .schema_file = {"intrusion.schema.json", "b5e61301d1de6c145754a43d8d3598fdaf3dc543d540bfb32869d4cd10abfe16"},
       .dropped_columns = {"num_outbound_cmds", "is_host_login"},
       .label_groups = {
           {"normal", {"normal"}},
           {"dos", {"back", "land", "neptune", "pod", "smurf", "teardrop"}},
           {"probe", {"ipsweep", "nmap", "portsweep", "satan"}},
           {"r2l", {"ftp_write", "guess_passwd", "imap", "multihop", "phf", "spy", "warezclient", "warezmaster"}},
           {"u2r", {"buffer_overflow", "loadmodule", "perl", "rootkit"}}}});
  entries.push_back(
      {.name = "marketing",
       .title = "Marketing",
       .file = "marketing.csv.xz",
       .sha256 = "a4ac3bc67ca07874c48efbdc755235877c8877031008ad27c19844a1aadb436c",
       .rows = 41'188,
       .columns = 21,
       .label = "y",
       .origin = "UCI, Bank Marketing, bank-additional-full.csv (CC BY 4.0)",
       .used_rows = 41'188,
       .schema_file = {"marketing.schema.json", "0a543b124518b53f1b2065164a9a3282285c892181fb6b415f18e323cdbd945a"}});
  entries.push_back({.name = "synthfs",
                     .title = "SynthFS",
                     .rows = 50'000,
                     .columns = 10,
                     .origin = "generated here, as Appendix B.1.1 of the paper describes",
                     .has_clients = true,
                     .used_rows = 50'000});
  return entries;
}

std::vector<DatasetEntry> ReferenceInputs() {
  std::vector<DatasetEntry> entries;
  entries.push_back(
      {.name = "reference-adult",
       .title = "Adult (reference split)",
       .file = "reference/adult/train.csv.xz",
       .sha256 = "5efc71906d62496d442f934bf329e988bd5e9eecc21f50dd544f806843a6b404",
       .rows = 48'842,
       .columns = 14,
       .label = "income>50K",
       .origin = "a fixed split of adult into 100 clients by UMAP and k-means, with its test rows and workload",
       .has_clients = true,
       .used_rows = 48'842,
       .schema_file = {"reference/adult/domain.json",
                       "734f07d75cbc2acbe711984e6db520b3e95c9c727cf448c528ce0b38347bb147"},
       .split = SplitFiles{
           .test = {"reference/adult/test.csv.xz", "e6ea1380f6843b3e9571f9a5a83e77a807875eb55bed62ed6b33779c08dcc5dd"},
           .workload = {"reference/adult/workload.json",
                        "92af8e71ee6bc403bf3af5d8e0e45920e6756cbe2695155b87972dcb3192dd92"}}});
  entries.push_back(
      {.name = "reference-synthfs",
       .title = "SynthFS (reference draw)",
       .file = "reference/synthfs_a2/train.csv.xz",
       .sha256 = "be856ab0242650f59d77befaa40aef87554ebd0e7b69bafedd0b0f44fe6ed26d",
       .rows = 50'000,
       .columns = 10,
       .origin = "a fixed draw of SynthFS with beta = 2 and 100 clients, with its test rows and workload",
       .has_clients = true,
       .used_rows = 50'000,
       .schema_file = {"reference/synthfs_a2/domain.json",
                       "bcada8f908b38d1fe0f00c16d0662bcb6df1044a3a596e734cb55773ff4e8de0"},
       .split = SplitFiles{.test = {"reference/synthfs_a2/test.csv.xz",
                                    "5a2bfc8d2dac9bf368542d9dc8c21fc6afc1c5472ea8d062838b88bdd10dba12"},
                           .workload = {"reference/synthfs_a2/workload.json",
                                        "b51633a6e4458d68fc85ebe892e81f15edad2d6cae8b8790d6499e10692e491b"}}});
  return entries;
}

std::vector<DatasetEntry> MakeCatalogue() {
  std::vector<DatasetEntry> entries = PaperDatasets();
  for (DatasetEntry& entry : ReferenceInputs()) entries.push_back(std::move(entry));
  return entries;
}

}  // namespace

const std::vector<DatasetEntry>& AllDatasets() {
  static const std::vector<DatasetEntry> catalogue = MakeCatalogue();
  return catalogue;
}

absl::StatusOr<DatasetEntry> FindDataset(std::string_view name) {
  std::vector<std::string_view> names;
  for (const DatasetEntry& entry : AllDatasets()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  return NotFound("there is no dataset {}.{} The datasets are {}", QuoteForMessage(name), SuggestNearest(name, names),
                  fmt::join(names, ", "));
}

}  // namespace flaim
