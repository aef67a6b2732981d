#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "caos/text/text_session.hpp"

namespace caos::python {

/// What changes no score: where answers are kept, and how a model is reached.
struct ConnectionArguments {
  std::optional<std::filesystem::path> store{};
  std::optional<std::string> server_model{};
  std::optional<std::string> key_variable{};
  std::optional<std::filesystem::path> key_file{};
  double timeout_seconds = 0;
  std::int64_t retries = 0;
  std::int64_t concurrency = 0;
  std::int64_t threads = 0;
  pybind11::object progress{};  ///< or None

  /// The options that say the same; an Error invalid_input names what is wrong.
  [[nodiscard]] TextSessionOptions session_options() const;
};

/// What a scorer is made of, besides its model and its labels.
struct ScorerArguments {
  pybind11::object prompt{};  ///< as in `prompt_of`
  std::string normalization{};
  std::int64_t context = 0;
  bool chat = false;
  ConnectionArguments connection{};

  [[nodiscard]] TextSessionOptions session_options() const;
  /// Whether all have their default values.
  [[nodiscard]] bool are_defaults() const;
};

/// The names and defaults of `ConnectionArguments`.
[[nodiscard]] inline auto connection_args() {
  namespace py = pybind11;
  const text::LanguageModelOptions defaults;
  return std::make_tuple(
      py::arg("store") = py::none(), py::arg("server_model") = py::none(),
      py::arg("key_variable") = py::none(), py::arg("key_file") = py::none(),
      py::arg("timeout_seconds") = defaults.timeout_seconds, py::arg("retries") = defaults.retries,
      py::arg("concurrency") = defaults.concurrency,
      py::arg("threads") = TextSessionOptions{}.threads, py::arg("progress") = py::none());
}

/// The names and defaults of `ScorerArguments`.
[[nodiscard]] inline auto scorer_args() {
  namespace py = pybind11;
  const TextSessionOptions defaults;
  return std::tuple_cat(
      std::make_tuple(py::arg("prompt") = py::none(),
                      py::arg("normalization") = normalization_name(defaults.normalization),
                      py::arg("context") = defaults.model_options.context,
                      py::arg("chat") = defaults.model_options.chat),
      connection_args());
}

/// A function of `ConnectionArguments` and arguments of its own, as pybind11 takes it: the former
/// come last, one by one.
template <typename... Own, typename F>
auto with_connection(F f) {
  return [f](Own... own, const std::optional<std::filesystem::path>& store,
             const std::optional<std::string>& server_model,
             const std::optional<std::string>& key_variable,
             const std::optional<std::filesystem::path>& key_file, double timeout_seconds,
             std::int64_t retries, std::int64_t concurrency, std::int64_t threads,
             const pybind11::object& progress) {
    return f(ConnectionArguments{.store = store,
                                 .server_model = server_model,
                                 .key_variable = key_variable,
                                 .key_file = key_file,
                                 .timeout_seconds = timeout_seconds,
                                 .retries = retries,
                                 .concurrency = concurrency,
                                 .threads = threads,
                                 .progress = progress},
             std::forward<Own>(own)...);
  };
}

template <typename R, typename... Own>
auto taking_connection(R (*f)(const ConnectionArguments&, Own...)) {
  return with_connection<Own...>(f);
}

/// The same with `ScorerArguments`.
template <typename R, typename... Own>
auto taking_scorer(R (*f)(const ScorerArguments&, Own...)) {
  return with_connection<Own..., const pybind11::object&, const std::string&, std::int64_t, bool>(
      [f](const ConnectionArguments& connection, Own... own, const pybind11::object& prompt,
          const std::string& normalization, std::int64_t context, bool chat) {
        return f({.prompt = prompt,
                  .normalization = normalization,
                  .context = context,
                  .chat = chat,
                  .connection = connection},
                 std::forward<Own>(own)...);
      });
}

}  // namespace caos::python
