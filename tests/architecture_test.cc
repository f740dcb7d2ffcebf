// Holds the source tree against the module map of docs/ARCHITECTURE.md, so that the picture stays true.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

const fs::path kRoot = FLAIM_SOURCE_DIR;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> AllMatches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> matches;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    matches.push_back((*match)[1]);
  }
  return matches;
}

// Module -> modules that it may use, from the table rows "| `data` | `base` | ... |".
std::map<std::string, std::set<std::string>> ModuleMap() {
  std::map<std::string, std::set<std::string>> allowed;
  std::istringstream document(ReadFile(kRoot / "docs/ARCHITECTURE.md"));
  const std::regex row(R"(^\| `(\w+)` \|([^|]*)\|.*$)");
  for (std::string line; std::getline(document, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const std::vector<std::string> used = AllMatches(match[2], std::regex("`(\\w+)`"));
    allowed[match[1]] = std::set(used.begin(), used.end());
  }
  return allowed;
}

std::vector<fs::path> SourceFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cc" || entry.path().extension() == ".h") files.push_back(entry.path());
  }
  return files;
}

std::string ModuleOf(const fs::path& file) { return fs::relative(file, kRoot / "src").begin()->string(); }

std::vector<std::string> ProjectIncludes(const fs::path& file) {
  return AllMatches(ReadFile(file), std::regex("(?:^|\n)#include \"([^\"]+)\""));
}

bool IsTestOrBenchmark(const fs::path& file) {
  return std::regex_search(file.filename().string(), std::regex("_(test|benchmark)\\.cc$|^test_|_testing\\.(h|cc)$"));
}

TEST(Architecture, EveryFolderIsInTheModuleMapAndTheMapHasNoCycle) {
  const auto allowed = ModuleMap();
  ASSERT_GE(allowed.size(), 15U);
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "src")) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(allowed.contains(entry.path().filename())) << entry.path() << " is not in docs/ARCHITECTURE.md";
  }
  std::set<std::string> seen;
  for (std::size_t round = 0; round < allowed.size(); ++round) {
    for (const auto& [module, used] : allowed) {
      if (std::includes(seen.begin(), seen.end(), used.begin(), used.end())) seen.insert(module);
    }
  }
  EXPECT_EQ(seen.size(), allowed.size()) << "the module map has a cycle or names an unknown module";
}

TEST(Architecture, AFolderIncludesOnlyWhatTheMapAllows) {
  const auto allowed = ModuleMap();
  std::vector<std::string> violations;
  int checked = 0;
  for (const fs::path& file : SourceFiles(kRoot / "src")) {
    const std::string module = ModuleOf(file);
    for (const std::string& include : ProjectIncludes(file)) {
      const std::string target = include.substr(0, include.find('/'));
      if (!allowed.contains(target)) continue;  // a library's header
      ++checked;
      if (target != module && !allowed.at(module).contains(target)) {
        violations.push_back(file.string() + " includes " + include);
      }
    }
  }
  EXPECT_GT(checked, 50) << "the include pattern no longer matches anything";
  EXPECT_THAT(violations, IsEmpty());
}

// Rows "| `runtime/site` | `observe` ... |"; "all" stands for every other folder.
TEST(Architecture, AFolderOfTheRuntimeIncludesOnlyWhatItsMapAllows) {
  std::map<std::string, std::string> allowed;
  std::istringstream document(ReadFile(kRoot / "docs/ARCHITECTURE.md"));
  const std::regex row(R"(^\| `runtime/(\w+)` \|([^|]*)\|.*$)");
  for (std::string line; std::getline(document, line);) {
    std::smatch match;
    if (std::regex_match(line, match, row)) allowed[match[1]] = match[2];
  }
  int checked = 0;
  for (const fs::path& file : SourceFiles(kRoot / "src/runtime")) {
    const std::string folder = fs::relative(file, kRoot / "src/runtime").begin()->string();
    ASSERT_TRUE(allowed.contains(folder)) << folder << " is not in docs/ARCHITECTURE.md";
    for (const std::string& include : ProjectIncludes(file)) {
      std::smatch match;
      if (!std::regex_match(include, match, std::regex("runtime/(\\w+)/.*")) || match[1] == folder) continue;
      ++checked;
      std::string quoted = match[1];
      quoted.insert(0, 1, '`').push_back('`');
      const std::string& uses = allowed[folder];
      const bool is_allowed = uses.find(quoted) != std::string::npos || uses.find("all") != std::string::npos;
      EXPECT_TRUE(is_allowed) << file << " includes " << include;
    }
  }
  EXPECT_GT(checked, 50) << "the include pattern no longer matches anything";
}

TEST(Architecture, AFolderLinksOnlyWhatTheMapAllows) {
  for (const auto& [module, allowed] : ModuleMap()) {
    const fs::path build_file = kRoot / "src" / module / "CMakeLists.txt";
    if (!fs::exists(build_file)) continue;
    const std::string text = ReadFile(build_file);
    std::smatch uses;
    if (!std::regex_search(text, uses, std::regex("USES((?: \\w+)+?)(?: LIBRARIES|\\))"))) continue;
    // A folder of the runtime counts as the runtime: runtime_observe.
    for (const std::string& used : AllMatches(uses[1], std::regex(" ([a-z]+)"))) {
      EXPECT_TRUE(allowed.contains(used)) << module << " links " << used;
    }
  }
}

// A header that only tests, benchmarks, some modules and some files may include. Its folder does not matter.
struct Fence {
  std::string header;
  std::set<std::string> modules;
  std::set<std::string> files;
};

void ExpectHolds(const Fence& fence) {
  std::vector<std::string> violations;
  int users = 0;
  for (const fs::path& file : SourceFiles(kRoot / "src")) {
    const std::vector<std::string> includes = ProjectIncludes(file);
    const bool is_user = std::any_of(includes.begin(), includes.end(), [&](const std::string& include) {
      return fs::path(include).filename() == fence.header;
    });
    if (!is_user) continue;
    ++users;
    if (IsTestOrBenchmark(file) || fence.modules.contains(ModuleOf(file))) continue;
    if (!fence.files.contains(file.filename())) violations.push_back(fs::relative(file, kRoot).string());
  }
  EXPECT_GT(users, 0) << "nobody includes " << fence.header << ": is that its name?";
  EXPECT_THAT(violations, IsEmpty()) << "may not include " << fence.header;
}

// Whoever knows the seed can subtract the noise, so production code must not be able to reach the seeded source.
TEST(Architecture, OnlyResearchCodeCanReachTheSeededSource) {
  ExpectHolds({.header = "seeded_random_source.h",
               .modules = {"simulation", "partition", "evaluation", "datasets", "experiments", "jobs", "cli", "python"},
               // The second draws a public random workload from a public seed.
               .files = {"seeded_random_source.cc", "workload_spec.cc"}});
}

// Its receipts are as good as the ledger's, and no file remembers them.
TEST(Architecture, OnlyTheSimulationCanReachTheAccountsOfSimulatedClients) {
  ExpectHolds({.header = "account_book.h", .modules = {"simulation"}, .files = {}});
}

// They go into a secure sum unpaid, so they must be nobody's.
TEST(Architecture, OnlyWhatMeasuresASumCanReachMadeUpCounts) {
  ExpectHolds({.header = "made_up_counts.h", .modules = {}, .files = {"made_up_counts.cc", "session_cost.cc"}});
}

TEST(Architecture, EveryHeaderIsGuardedAndNoFileOutgrowsItsReader) {
  for (const fs::path& file : SourceFiles(kRoot / "src")) {
    const std::string text = ReadFile(file);
    if (file.extension() == ".h") {
      EXPECT_TRUE(text.starts_with("#pragma once")) << file;
    }
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 600) << file << ": could this be two nouns?";
  }
}

TEST(Architecture, EveryDocumentLinkLeadsSomewhere) {
  std::vector<fs::path> documents;
  for (const fs::path& folder : {kRoot, kRoot / "docs"}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".md") documents.push_back(entry.path());
    }
  }
  for (const fs::path& document : documents) {
    for (const std::string& link : AllMatches(ReadFile(document), std::regex("\\]\\(([^)#:]+)\\)"))) {
      EXPECT_TRUE(fs::exists(document.parent_path() / link)) << document << " links to " << link;
    }
  }
}

}  // namespace
