# Two commands for a newcomer: `make demo` and `make test`. Everything builds into build/<preset>/.

.PHONY: demo test setup setup-tests program reference site package package-check portability-check python dev tidy coverage threads valgrind faults mutants fuzz trust format bench bench-peers bench-check peers clean

demo: program
	tools/demo

# The README's own test command, and what continuous integration runs.
test: setup-tests
	cmake --preset release
	cmake --build --preset release
	tools/fuzz --short
	ctest --preset release

# The long checks, before a release, on an otherwise idle machine; docs/project/testing.md has the results.
trust: test
	build/release/caos verify
	$(MAKE) fuzz coverage threads valgrind faults mutants package-check

# Hostile bytes for every reader, SECONDS for each target (fuzz/README.md).
SECONDS = 60
# Crashes within llama.cpp and ONNX Runtime are reported but do not fail: the fix belongs upstream.
fuzz: setup-tests
	tools/fuzz --seconds $(SECONDS)
	-tools/fuzz --seconds $(SECONDS) runtime_gguf runtime_onnx

setup:
	tools/setup
setup-tests:
	tools/setup --tests

program: setup
	cmake --preset release -DCAOS_TESTS=OFF -DCAOS_BENCH=OFF -DCAOS_PYTHON_PACKAGE=OFF
	cmake --build --preset release --target caos_program

# The pages in docs/reference/commands; a test compares them with what the program has.
reference: program
	rm -f docs/reference/commands/*.md
	tools/reference.py --caos build/release/caos --output docs/reference/commands

# The documentation as pages to open in a browser: build/site/index.html.
site:
	tools/setup --site
	tools/site

# For people who do not build: .deb, archive and wheel, in build/packages; and whether they work on a Debian
# that has nothing else (as root).
package:
	tools/setup --packages
	tools/package
package-check: package
	tools/package-check

# In a root of Debian 13, with clang, and the kernels for aarch64 (as root).
portability-check:
	tools/setup --packages
	tools/portability-check

# To import it from there; `pip install .` puts it where Python finds it by itself.
python:
	tools/setup --python
	cmake --preset release -DCAOS_TESTS=OFF -DCAOS_BENCH=OFF -DCAOS_PYTHON_PACKAGE=ON
	cmake --build --preset release --target caos_python
	@echo "The package is in build/release/python; add that folder to PYTHONPATH."

dev: setup-tests
	cmake --preset dev
	cmake --build --preset dev
	ctest --preset dev

tidy:
	tools/setup --tidy
	cmake --preset tidy
	cmake --build --preset tidy

# Which lines and branches the tests reach, and whether address and undefined-behavior sanitizers are content.
# Fails below 90 % of the library's lines. Branches that only an exception makes are left out: each call has one.
# So are lines of kernels whose counts came out below zero, as their threads count without locks.
gcovr = gcovr --root . --exclude-throw-branches --exclude-unreachable-branches --gcov-ignore-parse-errors --print-summary build/coverage
coverage:
	tools/setup --coverage
	cmake --preset coverage
	cmake --build --preset coverage
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage
	$(gcovr) --filter apps/ --html-details build/coverage/apps.html --txt build/coverage/apps.txt
	$(gcovr) --filter caos/ --html-details build/coverage/caos.html --txt build/coverage/caos.txt --fail-under-line 90
	@echo "The reports are build/coverage/caos.html and build/coverage/apps.html"

# Data races, in what uses threads.
threads: setup-tests
	cmake --preset threads
	cmake --build --preset threads
	ctest --preset threads

# Memory, once more and without a compiler's help: the program's short paths.
valgrind:
	tools/setup --valgrind
	cmake --preset release
	cmake --build --preset release --target caos_program
	CAOS_PROGRAM=build/release/caos python3 tests/sanitizers/short_paths.py

# Breaks each fact of tests/mutants in a copy and shows which test notices; it takes long.
mutants: setup-tests
	tools/mutants

# The tests of faults with ten times as many rounds, and a table of what was tried.
faults: setup-tests
	cmake --preset release
	cmake --build --preset release --target caos_program tiny_gguf
	tools/faults

format:
	find apps bench bindings caos examples fuzz include tests -name '*.[ch]pp' | xargs clang-format -i

bench: setup-tests
	cmake --preset release
	cmake --build --preset release
	bench/run

# The product and other software in turn; and only whether W1 became slower than bench/committed.json says.
bench-peers: peers
	bench/peers
bench-check: peers
	bench/peers --check
peers:
	tools/setup --peers
	cmake --preset release
	cmake --build --preset release --target caos_program peers_bench product_bench kernels_bench

clean:
	rm -rf build demo
