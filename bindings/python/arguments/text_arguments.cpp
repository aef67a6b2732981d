#include "bindings/python/arguments/text_arguments.hpp"

#include <fmt/format.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "bindings/python/module/errors.hpp"
#include "caos/error.hpp"
#include "caos/io/utf8.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::invalid_input, what); }

/// An iterator, or an error that says what would be right.
py::iterator iterate(py::handle object, const std::string& name) {
  if (py::isinstance<py::str>(object)) {
    refuse(fmt::format("{}: is one text, {}; give a list of texts", name,
                       text::in_quotes(object.cast<std::string>())));
  }
  const bool is_table = py::hasattr(object, "ndim") && object.attr("ndim").cast<int>() != 1;
  PyObject* const iterator =
      is_table || py::isinstance<py::dict>(object) ? nullptr : PyObject_GetIter(object.ptr());
  if (iterator == nullptr) {
    PyErr_Clear();
    refuse(fmt::format("{}: is {}; expected a list of texts", name, type_name(object)));
  }
  return py::reinterpret_steal<py::iterator>(iterator);
}

}  // namespace

std::string text_of(py::handle object, const std::string& name) {
  if (!py::isinstance<py::str>(object)) {
    refuse(fmt::format("{} is {}; expected str", name,
                       object.is_none() ? "None" : "of type " + type_name(object)));
  }
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    refuse(fmt::format("{} cannot be written in UTF-8: it holds half a character", name));
  }
  return {bytes, static_cast<std::size_t>(size)};
}

std::vector<std::string> texts_of(py::handle object, const std::string& name) {
  std::vector<std::string> texts;
  py::iterator items = iterate(object, name);
  for (; items != py::iterator::sentinel(); ++items) {
    texts.push_back(text_of(*items, fmt::format("{}: entry {}", name, texts.size())));
  }
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return texts;
}

void require_as_many(std::size_t count, const std::string& name, std::size_t expected,
                     const std::string& of) {
  require(count == expected, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: there are {}; expected {}, as many as {}", name, count, expected, of);
  });
}

Label label_of(const std::string& name, const text::LabelSpace& labels, const std::string& where) {
  const auto found = labels.find(name);
  require(found.has_value(), ErrorKind::invalid_input, [&] {
    return fmt::format("{} is {}, which is not one of the labels {}; correct it or add the label",
                       where, text::in_quotes(name), text::in_quotes(labels.names()));
  });
  return *found;
}

std::vector<text::LabeledText> labeled_texts_of(std::vector<std::string> texts,
                                                const std::vector<std::string>& names,
                                                const text::LabelSpace& labels,
                                                const std::string& name) {
  std::vector<text::LabeledText> examples;
  examples.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string where = fmt::format("{}: entry {}", name, i);
    examples.push_back({std::move(texts[i]), label_of(names[i], labels, where)});
  }
  return examples;
}

std::vector<std::string> columns_of(py::handle columns) {
  if (columns.is_none()) return {};
  if (py::isinstance<py::str>(columns)) return {columns.cast<std::string>()};
  return texts_of(columns, "text_columns");
}

text::PromptTemplate prompt_of(py::handle object) {
  if (object.is_none()) return text::PromptTemplate::paper();
  const bool is_text = py::isinstance<py::str>(object);
  if (!is_text && !py::hasattr(object, "__fspath__")) {
    refuse(fmt::format("prompt: is {}; expected a template, its file, or None", type_name(object)));
  }
  if (is_text) {
    const auto text = object.cast<std::string>();
    const bool is_template = text.find_first_of("{\n") != std::string::npos;
    if (is_template) return text::PromptTemplate::parse(text, "prompt");
  }
  return text::PromptTemplate::read(object.cast<std::filesystem::path>().string());
}

bool is_by_label(py::handle groups) {
  if (groups.is_none()) return false;
  const bool fits = py::isinstance<py::str>(groups) && groups.equal(py::str("labels"));
  require(fits, ErrorKind::invalid_input,
          "groups: texts are grouped by 'labels', or not at all (None)");
  return true;
}

py::tuple tuple_of(const std::vector<std::string>& names) {
  py::tuple tuple(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) tuple[i] = py::str(names[i]);
  return tuple;
}

}  // namespace caos::python
