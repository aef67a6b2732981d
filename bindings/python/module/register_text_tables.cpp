#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "bindings/python/arguments/text_arguments.hpp"
#include "bindings/python/module/register.hpp"
#include "caos/text/task_file.hpp"
#include "caos/text/text_table.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

py::tuple read_table(const std::filesystem::path& path, const py::object& text_columns,
                     const std::optional<std::string>& label_column,
                     const std::optional<std::string>& id_column) {
  const text::Columns columns{.text = columns_of(text_columns),
                              .label = label_column.value_or(""),
                              .id = id_column.value_or("")};
  const text::TextTable table = [&] {
    const py::gil_scoped_release released;
    return text::read_text_table(path.string(), columns);
  }();
  return py::make_tuple(table.texts, label_column ? py::cast(table.labels) : py::none(), table.ids);
}

py::tuple read_task(const std::filesystem::path& path,
                    const std::optional<std::string>& label_column) {
  const text::TaskFile task = text::read_task_file(path.string(), label_column.value_or(""));
  const auto if_any = [](const std::string& text) -> py::object {
    return text.empty() ? py::none() : py::object(py::str(text));
  };
  return py::make_tuple(if_any(task.name),
                        task.text_columns.empty() ? py::none() : py::cast(task.text_columns),
                        if_any(task.label_column), task.labels.names());
}

}  // namespace

void register_text_tables(py::module_& module) {
  module.def("read_text_table", &read_table, py::arg("path"), py::arg("text_columns"),
             py::arg("label_column"), py::arg("id_column"),
             "What caos.text.read_table returns, as a tuple. Arguments are as there: path, "
             "text_columns, label_column, id_column.");
  module.def("read_text_task", &read_task, py::arg("path"), py::arg("label_column"),
             "What caos.text.read_task returns, as a tuple. Arguments are as there: path, "
             "label_column.");
}

}  // namespace caos::python
