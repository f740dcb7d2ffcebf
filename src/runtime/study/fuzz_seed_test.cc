#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"
#include "messages.pb.h"
#include "runtime/study/manifest_testing.h"

namespace flaim::runtime {
namespace {

// A welcome as fuzz/site_message_fuzz.cc reads it: its first byte says that the others are the whole message.
std::string WelcomeForFuzzing() {
  const SignedManifest manifest = Sign(ManifestForTest(PresetForTest("naive-flaim")), KeyForTest("coordinator"));
  messages::CoordinatorMessage message;
  message.mutable_welcome()->set_manifest(manifest.text);
  message.mutable_welcome()->set_manifest_signature(manifest.signature.data(), manifest.signature.size());
  std::string seed(1, '\0');
  seed.append(message.SerializeAsString());
  return seed;
}

// A seed of an older version would be refused at its first line, and nothing behind it would be tried.
TEST(FuzzSeed, IsAWelcomeOfThisVersion) {
  const std::string path = std::string(FLAIM_SOURCE_DIR) + "/fuzz/corpus/site_message/welcome";
  std::ifstream file(path, std::ios::binary);
  const std::string seed((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string wanted = WelcomeForFuzzing();
  if (seed == wanted) return;
  const std::string made = std::filesystem::temp_directory_path() / "flaim-fuzz-seed-welcome";
  std::ofstream(made, std::ios::binary) << wanted;
  FAIL() << "copy " << made << " to " << path;
}

}  // namespace
}  // namespace flaim::runtime
