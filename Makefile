# Two commands for a newcomer: `make demo` and `make test`. Everything builds into build/<preset>/.

.PHONY: demo test setup setup-tests program reference site package package-check portability-check python dev tidy coverage threads valgrind faults mutants fuzz trust format bench bench-peers bench-check peers clean

demo: program
	tools/demo

# All tests; also for continuous integration.
test: setup-tests
	cmake --preset release
	cmake --build --preset release
	tools/fuzz --short
	ctest --preset release

# The long checks, before a release, on an otherwise idle machine; docs/project/testing.md has the results.
trust: test
	build/release/caos verify
	$(MAKE) fuzz coverage threads valgrind faults mutants package-check

# Fuzzes every reader of files, requests and answers, SECONDS per target (fuzz/README.md).
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

# The pages in docs/reference/commands; a test compares them with the program.
reference: program
	rm -f docs/reference/commands/*.md
	tools/reference.py --caos build/release/caos --output docs/reference/commands

# The documentation as a static site: build/site/index.html.
site:
	tools/setup --site
	tools/site

# Binary packages (.deb, archive, wheel) in build/packages; package-check (as root) tests them on a minimal Debian.
package:
	tools/setup --packages
	tools/package
package-check: package
	tools/package-check

# Builds and tests in a Debian 13 root, with clang, and the kernels for aarch64 (as root).
portability-check:
	tools/setup --packages
	tools/portability-check

# The Python package in the build folder; `pip install .` installs it.
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

# Line and branch coverage, with the address and undefined-behavior sanitizers. Fails below 90 % of the library's
# lines. Branches taken only by exceptions are excluded, as every call has one, and so are lines of kernels with
# negative counts, as threads count without locks.
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

# The thread sanitizer, on the tests of multithreaded code.
threads: setup-tests
	cmake --preset threads
	cmake --build --preset threads
	ctest --preset threads

# The program's short paths under memcheck.
valgrind:
	tools/setup --valgrind
	cmake --preset release
	cmake --build --preset release --target caos_program
	CAOS_PROGRAM=build/release/caos python3 tests/sanitizers/short_paths.py

# Mutation testing: breaks each fact of tests/mutants in a copy and shows which test fails; slow.
mutants: setup-tests
	tools/mutants

# Fault injection with ten times the rounds of `make test`, and a table of results.
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

# caos against other software, in alternation; bench-check only checks that W1 is not slower than bench/committed.json.
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
