#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "caos/text/label_space.hpp"
#include "caos/text/prompt_template.hpp"

/// Texts and labels as users give them. All of this needs the GIL.
namespace caos::python {

/// A str that can be written in UTF-8. `name` is what errors call it.
[[nodiscard]] std::string text_of(pybind11::handle object, const std::string& name);

/// The entries of a list, array, pandas Series or anything else that one can iterate over; all must
/// be str and can be written in UTF-8. `name` is what errors call it, and they name the entry. A
/// single str is refused: it would be a list of its letters.
[[nodiscard]] std::vector<std::string> texts_of(pybind11::handle object, const std::string& name);

/// Throws `invalid_input` unless there are as many of one as of the other.
void require_as_many(std::size_t count, const std::string& name, std::size_t expected,
                     const std::string& of);

/// Texts with their labels, which are names in the space.
[[nodiscard]] std::vector<text::LabeledText> labeled_texts_of(std::vector<std::string> texts,
                                                              const std::vector<std::string>& names,
                                                              const text::LabelSpace& labels,
                                                              const std::string& name);

/// The number of a label. `where` says in errors where its name stands.
[[nodiscard]] Label label_of(const std::string& name, const text::LabelSpace& labels,
                             const std::string& where);

/// The names of columns: a list of them, or one; none for None.
[[nodiscard]] std::vector<std::string> columns_of(pybind11::handle columns);

/// None is the paper's template. A str with a brace or several lines is a template, any other the
/// name of a file, and so is a path.
[[nodiscard]] text::PromptTemplate prompt_of(pybind11::handle object);

/// Whether groups are 'labels'; otherwise they must be None.
[[nodiscard]] bool is_by_label(pybind11::handle groups);

/// Names as a tuple.
[[nodiscard]] pybind11::tuple tuple_of(const std::vector<std::string>& names);

}  // namespace caos::python
