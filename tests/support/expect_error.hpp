#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "caos/error.hpp"

namespace caos::test {

/// Expects that `action` throws an Error of this kind whose message holds all `parts`.
template <typename Action>
void expect_error(Action&& action, ErrorKind kind, std::initializer_list<std::string> parts) {
  try {
    action();
    ADD_FAILURE() << "no error; expected one that says: " << *parts.begin();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    for (const std::string& part : parts) EXPECT_THAT(error.what(), testing::HasSubstr(part));
  }
}

}  // namespace caos::test
