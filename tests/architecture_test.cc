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

using Map = std::map<std::string, std::set<std::string>>;

// Module -> modules that it uses, from the table rows "| `data` | `base` `io` | ... |"; or room -> rooms, from the rows
// "| `privacy/samplers` | `numbers` | ... |".
Map MapIn(const std::string& first_cell) {
  Map uses;
  std::istringstream document(ReadFile(kRoot / "docs/ARCHITECTURE.md"));
  const std::regex row("^\\| `(" + first_cell + ")` \\|([^|]*)\\|.*$");
  for (std::string line; std::getline(document, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const std::vector<std::string> used = AllMatches(match[2], std::regex("`(\\w+)`"));
    uses[match[1]] = std::set(used.begin(), used.end());
  }
  return uses;
}

Map ModuleMap() { return MapIn("\\w+"); }

// With the module's name in front of the used rooms, too.
Map RoomMap() {
  Map rooms;
  for (const auto& [room, used] : MapIn("\\w+/\\w+")) {
    rooms[room] = {};
    for (const std::string& other : used) rooms[room].insert(room.substr(0, room.find('/') + 1) + other);
  }
  return rooms;
}

std::vector<fs::path> SourceFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cc" || entry.path().extension() == ".h") files.push_back(entry.path());
  }
  return files;
}

// Of a path below src.
std::string ModuleOf(const std::string& name) { return name.substr(0, name.find('/')); }
std::string RoomOf(const std::string& name) { return name.substr(0, name.find('/', name.find('/') + 1)); }

std::string NameOf(const fs::path& file) { return fs::relative(file, kRoot / "src").string(); }

std::vector<std::string> ProjectIncludes(const fs::path& file) {
  return AllMatches(ReadFile(file), std::regex("(?:^|\n)#include \"([^\"]+)\""));
}

bool IsForTests(const fs::path& file) {
  return std::regex_search(file.filename().string(), std::regex("_(test|benchmark)\\.cc$|_testing\\.(h|cc)$"));
}

// What the files of a module or room include, of other modules or rooms; without the files that are only for tests.
Map Included(const Map& map, std::string (*part_of)(const std::string&)) {
  Map included;
  for (const fs::path& file : SourceFiles(kRoot / "src")) {
    const std::string part = part_of(NameOf(file));
    if (IsForTests(file) || !map.contains(part)) continue;
    for (const std::string& include : ProjectIncludes(file)) {
      const std::string other = part_of(include);
      if (other != part && map.contains(other)) included[part].insert(other);
    }
  }
  return included;
}

void ExpectNoCycle(const Map& map) {
  std::set<std::string> seen;
  for (std::size_t round = 0; round < map.size(); ++round) {
    for (const auto& [name, used] : map) {
      if (std::includes(seen.begin(), seen.end(), used.begin(), used.end())) seen.insert(name);
    }
  }
  for (const auto& [name, used] : map) {
    EXPECT_TRUE(seen.contains(name)) << name << " is in a cycle of the map, or uses something unknown";
  }
}

// Everything that a module reaches through what it uses.
std::set<std::string> Reachable(const Map& map, const std::string& module) {
  std::set<std::string> reached = {module};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const std::string& name : std::set(reached)) reached.insert(map.at(name).begin(), map.at(name).end());
  }
  return reached;
}

TEST(Architecture, EveryFolderIsInTheModuleMapAndTheMapHasNoCycle) {
  const Map modules = ModuleMap();
  ASSERT_GE(modules.size(), 15U);
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "src")) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(modules.contains(entry.path().filename())) << entry.path() << " is not in docs/ARCHITECTURE.md";
  }
  for (const auto& [module, used] : modules) EXPECT_TRUE(fs::is_directory(kRoot / "src" / module)) << module;
  ExpectNoCycle(modules);
}

TEST(Architecture, AModuleIncludesExactlyWhatTheMapLists) {
  const Map modules = ModuleMap();
  const Map included = Included(modules, ModuleOf);
  EXPECT_GT(included.size(), 15U) << "the include pattern no longer matches anything";
  for (const auto& [module, listed] : modules) {
    EXPECT_EQ(included.contains(module) ? included.at(module) : std::set<std::string>(), listed) << "of " << module;
  }
}

TEST(Architecture, ARoomIncludesExactlyWhatTheMapLists) {
  const Map rooms = RoomMap();
  ASSERT_GT(rooms.size(), 20U);
  ExpectNoCycle(rooms);
  Map included = Included(rooms, RoomOf);
  for (const auto& [room, listed] : rooms) {
    const std::string module = ModuleOf(room);
    std::erase_if(included[room], [&](const std::string& other) { return ModuleOf(other) != module; });
    EXPECT_EQ(included[room], listed) << "of " << room;
  }
}

TEST(Architecture, AModuleWithRoomsHasNoFileOutsideThemButTests) {
  const Map rooms = RoomMap();
  std::set<std::string> modules_with_rooms;
  for (const auto& [room, used] : rooms) modules_with_rooms.insert(ModuleOf(room));
  for (const fs::path& file : SourceFiles(kRoot / "src")) {
    if (IsForTests(file) || !modules_with_rooms.contains(ModuleOf(NameOf(file)))) continue;
    EXPECT_TRUE(rooms.contains(RoomOf(NameOf(file)))) << file << " is in no room of docs/ARCHITECTURE.md";
  }
}

TEST(Architecture, ATestUsesOnlyWhatItsModuleReaches) {
  const Map modules = ModuleMap();
  for (const fs::path& file : SourceFiles(kRoot / "src")) {
    if (!IsForTests(file)) continue;
    const std::set<std::string> reached = Reachable(modules, ModuleOf(NameOf(file)));
    for (const std::string& include : ProjectIncludes(file)) {
      const std::string other = ModuleOf(include);
      EXPECT_TRUE(!modules.contains(other) || reached.contains(other)) << file << " includes " << include;
    }
  }
}

TEST(Architecture, WhatIsForTestsIsIncludedByTestsOnly) {
  for (const fs::path& file : SourceFiles(kRoot / "src")) {
    if (IsForTests(file)) continue;
    for (const std::string& include : ProjectIncludes(file)) {
      EXPECT_FALSE(IsForTests(include)) << file << " includes " << include;
    }
  }
}

// The library with the file, as another links it: other modules as a whole, but runtime, rows and the own module by
// room.
std::string LibraryOf(const Map& rooms, const std::string& name, const std::string& module_of_user) {
  const std::string module = ModuleOf(name);
  const bool is_by_room = module == module_of_user || module == "runtime" || module == "rows";
  if (!is_by_room || !rooms.contains(RoomOf(name))) return ModuleOf(name);
  return ModuleOf(name) + "_" + RoomOf(name).substr(ModuleOf(name).size() + 1);
}

TEST(Architecture, ALibraryLinksExactlyWhatItsFilesInclude) {
  const Map modules = ModuleMap();
  const Map rooms = RoomMap();
  Map included;
  for (const fs::path& file : SourceFiles(kRoot / "src")) {
    const std::string module = ModuleOf(NameOf(file));
    const std::string library = LibraryOf(rooms, NameOf(file), module);
    if (IsForTests(file)) continue;
    for (const std::string& include : ProjectIncludes(file)) {
      const std::string other = LibraryOf(rooms, include, module);
      if (other != library && modules.contains(ModuleOf(include))) included[library].insert(other);
    }
  }
  std::size_t libraries = 0;
  const std::regex command(R"(flaim_(?:module|room)\(NAME (\w+)(?:\s+USES((?:\s+(?!LIBRARIES)\w+)*))?)");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / "src")) {
    if (entry.path().filename() != "CMakeLists.txt") continue;
    const std::string text = ReadFile(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), command), end; match != end; ++match, ++libraries) {
      const std::vector<std::string> used = AllMatches((*match)[2], std::regex("(\\w+)"));
      EXPECT_EQ(std::set(used.begin(), used.end()), included[(*match)[1]]) << "of " << (*match)[1];
    }
  }
  EXPECT_GT(libraries, 40U) << "the pattern no longer matches anything";
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
    if (IsForTests(file) || fence.modules.contains(ModuleOf(NameOf(file)))) continue;
    if (!fence.files.contains(file.filename())) violations.push_back(fs::relative(file, kRoot).string());
  }
  EXPECT_GT(users, 0) << "nobody includes " << fence.header << ": is that its name?";
  EXPECT_THAT(violations, IsEmpty()) << "may not include " << fence.header;
}

// Whoever knows the seed can subtract the noise, so production code must not be able to reach the seeded source.
TEST(Architecture, OnlyResearchCodeCanReachTheSeededSource) {
  ExpectHolds(
      {.header = "seeded_random_source.h",
       .modules = {"simulation", "audit", "partition", "evaluation", "datasets", "experiments", "app", "cli", "python"},
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

// The texts in quotes, without those in comments. Knows as much of C++ as this tree uses.
std::vector<std::string> StringLiterals(const std::string& text) {
  static const std::regex token(R"-(//.*|R"(\w*|-)\(|"((?:[^"\\\n]|\\.)*)"|'\\?.')-");
  std::vector<std::string> literals;
  std::smatch match;
  for (auto next = text.begin(); std::regex_search(next, text.end(), match, token);) {
    next = match[0].second;
    if (match[2].matched) literals.push_back(match[2]);
    if (!match[1].matched) continue;
    std::string end(1, ')');
    end.append(match[1].first, match[1].second).append(1, '"');
    const auto close = std::search(next, text.end(), end.begin(), end.end());
    literals.emplace_back(next, close);
    next = close == text.end() ? close : close + std::ssize(end);
  }
  return literals;
}

bool NamesAFlag(const std::string& text) { return std::regex_search(text, std::regex("(?:^|[^-\\w])--[a-z]")); }

TEST(Architecture, TheSearchForFlagsReadsStringsAndNothingElse) {
  const auto finds = [](const std::string& code) {
    const std::vector<std::string> literals = StringLiterals(code);
    return std::any_of(literals.begin(), literals.end(), NamesAFlag);
  };
  for (const char* code : {R"-(f("--rounds"))-", R"-(f("raise --rounds"))-", R"-(f('"', "a \"", "(--rounds)"))-",
                           "f(R\"(\n\"see\n--rounds)\")", "f(R\"-(--rounds)-\")", "// \"\nf(\"--rounds\")"}) {
    EXPECT_TRUE(finds(code)) << code;
  }
  for (const char* code : {"f(\"a\"); --rounds; f(\"b\")", "// \"--rounds\"", "f(\"-----BEGIN\")",
                           "f(\"a--b\", \"--\")", "f('\"', --rounds, '\"')", "f(R\"(a)\", --rounds, \"b\")"}) {
    EXPECT_FALSE(finds(code)) << code;
  }
}

// Python, experiment files and manifests have no flags: what they share with the command line names settings.
TEST(Architecture, OnlyTheCommandLineSpeaksOfFlags) {
  const std::set<std::string> not_ours = {"html_page.cc",           // a style sheet has variables
                                          "zstd_decompressor.cc"};  // the program zstd has flags, too
  std::set<std::string> speakers;
  for (const fs::path& file : SourceFiles(kRoot / "src")) {
    if (IsForTests(file)) continue;
    const std::vector<std::string> literals = StringLiterals(ReadFile(file));
    if (!std::any_of(literals.begin(), literals.end(), NamesAFlag)) continue;
    speakers.insert(ModuleOf(NameOf(file)) == "cli" ? "the command line" : file.filename().string());
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / "python/flaim")) {
    if (entry.path().extension() != ".py") continue;
    if (NamesAFlag(ReadFile(entry.path()))) speakers.insert(entry.path().filename());
  }
  EXPECT_EQ(speakers.erase("the command line"), 1U) << "the pattern no longer matches anything";
  EXPECT_EQ(speakers, not_ours);
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

TEST(Architecture, NoFolderHoldsMoreThanItsReaderCan) {
  std::map<fs::path, int> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / "src")) {
    if (entry.is_regular_file()) ++files[entry.path().parent_path()];
  }
  for (const auto& [folder, count] : files) EXPECT_LE(count, 40) << folder << " wants rooms";
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
