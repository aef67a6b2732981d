"""Runs cells of Python that come as JSON on lines of standard input, all in one namespace, and
answers with what each prints, warnings included, as a notebook shows them."""

import contextlib
import io
import json
import sys
import traceback
import warnings


def run(cell, namespace):
    printed = io.StringIO()

    def show(message, category, *_, **__):
        print(f"{category.__name__}: {message}", file=printed)

    error = ""
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        try:
            code = compile(cell["code"], cell["name"], "exec")
            exec(code, namespace)  # pylint: disable=exec-used
        except Exception:  # pylint: disable=broad-except
            error = traceback.format_exc()
    return {"printed": printed.getvalue(), "error": error}


def main():
    namespace = {"__name__": "__main__"}
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line), namespace)), flush=True)


if __name__ == "__main__":
    main()
