#include "base/content_hash.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "support/temporary_folder.h"

namespace vmafbatch {
namespace {

std::string hash_of(std::string_view bytes) {
  ContentHash hash;
  hash.update(bytes);
  return hash.text();
}

std::string some_bytes(size_t count) {
  std::string bytes(count, '\0');
  for (size_t at = 0; at < count; ++at) bytes[at] = static_cast<char>(at * at * 31 >> 3);
  return bytes;
}

// Fixed values: a database of today must be readable by every later build.
TEST(ContentHash, IsXxh3Of128Bits) {
  EXPECT_EQ(hash_of(""), "xxh3:99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hash_of("a"), "xxh3:a96faf705af16834e6c632b61e964e1f");
}

TEST(ContentHash, DoesNotDependOnThePieces) {
  const std::string bytes = some_bytes(100'000);
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{256}, size_t{1000}, size_t{65'536}}) {
    ContentHash hash;
    for (size_t at = 0; at < bytes.size(); at += piece) hash.update(std::string_view(bytes).substr(at, piece));
    EXPECT_EQ(hash.text(), hash_of(bytes)) << piece;
  }
}

TEST(ContentHash, CanBeAskedInTheMiddle) {
  ContentHash hash;
  hash.update("a");
  EXPECT_EQ(hash.text(), hash_of("a"));
  hash.update("b");
  EXPECT_EQ(hash.text(), hash_of("ab"));
}

TEST(ContentHash, OfAFileIsThatOfItsBytes) {
  const testing::TemporaryFolder folder;
  const std::string bytes = some_bytes(3'000'001);
  std::ofstream(folder.path("f"), std::ios::binary) << bytes;
  const auto hash = hash_file(folder.path("f"));
  ASSERT_TRUE(hash.ok()) << hash.error().message;
  EXPECT_EQ(hash->text, hash_of(bytes));
  EXPECT_EQ(hash->size, bytes.size());
}

TEST(ContentHash, SaysWhyAFileCannotBeRead) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(hash_file(folder.path("none")).error().message, folder.path("none") + ": cannot be read (No such file or directory)");
  EXPECT_EQ(hash_file(folder.path("")).error().message, folder.path("") + ": cannot be read (Is a directory)");
}

}  // namespace
}  // namespace vmafbatch
