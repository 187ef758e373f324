#include "base/option_word.h"

#include <gtest/gtest.h>

namespace vmafbatch {
namespace {

TEST(OptionWord, IsANameOfSmallLettersAndItsValue) {
  for (const char* word : {"scale=bicubic", "skip_reference=5", "convert=", "a=b=c"}) EXPECT_TRUE(is_option_word(word)) << word;
  for (const char* word : {"", "=", "scale", "=5", "Scale=5", "adm.gain=1", "maps/crf=23", "a1=2", "01ab"})
    EXPECT_FALSE(is_option_word(word)) << word;
}

TEST(OptionWord, AValueEndsItsOptionWhereItHoldsASeparator) {
  for (const char* value : {";", "a;b", "a b;c", "a frames=3", "a  frames=3", "a b c=", " x=1"})
    EXPECT_TRUE(ends_its_option(value)) << value;
  for (const char* value : {"", "maps", "my maps", "x=1", "maps/crf=23", "my maps/crf=23", "a b.c=1", "a ", "a ="})
    EXPECT_FALSE(ends_its_option(value)) << value;
}

}  // namespace
}  // namespace vmafbatch
