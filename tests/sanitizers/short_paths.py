"""Every command of the program under valgrind's memcheck, on tiny inputs, and how each fails.

    CAOS_PROGRAM=build/release/caos python3 tests/sanitizers/short_paths.py [WORD...]

With arguments: only commands that contain one of them. A read of uninitialized memory, a read or write beside a
block, a block freed twice or lost for good: each is an error, and so is another exit code than the right one.
valgrind knows no AVX-512; the kernels see that and take AVX2.
"""

import http.client
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.path.abspath(os.environ.get("CAOS_PROGRAM", ROOT / "build/release/caos"))
MESSAGES = ROOT / "examples/messages"

FOUND = 99  # memcheck's exit code
DONE, FAILED, MISUSED = 0, 1, 2
VALGRIND = ["valgrind", "--quiet", f"--error-exitcode={FOUND}", "--leak-check=full",
            "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite", "--num-callers=30",
            "--trace-children=no", "--child-silent-after-fork=yes",
            f"--suppressions={ROOT / 'tests/sanitizers/valgrind.supp'}"]

SCORES = "--labeled s/labeled.npy --labels s/labels.npy"
TEST_SCORES = "--test s/test.npy --test-labels s/test-labels.npy"
FACES = "--images f --landmarks f/all.csv --split f/split.csv --no-cache --working-size 96"
TEXTS = "--train texts.csv --id-column id"

# One after the other, in one folder: the exit code that is right, and the words.
COMMANDS = [
    (DONE, "--version"),
    (DONE, "--help"),
    (MISUSED, ""),
    (MISUSED, "forecast"),
    (MISUSED, "evaluate --shade"),
    # Scores.
    (DONE, "generate --out s --n 12 --num-labels 3 --num-test 4"),
    (DONE, f"calibrate {SCORES} --out m.caos"),
    (DONE, f"calibrate {SCORES} --groups labels --out groups.caos --json"),
    (MISUSED, f"calibrate {SCORES} --k 12 --out k.caos"),
    (FAILED, "calibrate --labeled s/none.npy --labels s/labels.npy --out none.caos"),
    (FAILED, "calibrate --labeled short.npy --labels s/labels.npy --out short.caos"),
    (FAILED, f"calibrate {SCORES} --out no/such/folder/m.caos"),
    (DONE, "predict m.caos --test s/test.npy --alpha 0.2"),
    (DONE, "predict m.caos --test s/test.npy --alpha 0.2 --method full-caos --symmetric --json"),
    (DONE, "predict m.caos --test s/test.npy --alpha 0.2 --smoothed --threads 2"),
    (MISUSED, "predict m.caos --test s/test.npy --alpha 2"),
    (FAILED, "predict short.caos --test s/test.npy --alpha 0.2"),
    (DONE, f"evaluate {SCORES} {TEST_SCORES} --symmetric --alpha 0.2 --report r.html "
           "--per-example e.csv"),
    (DONE, f"evaluate {SCORES} {TEST_SCORES} --alpha 0.2 --json"),
    (DONE, "inspect m.caos"),
    (DONE, "inspect s/labeled.npy --json"),
    (FAILED, "inspect texts.csv"),
    (DONE, "advise --n 40 --alpha 0.1"),
    (DONE, f"advise {SCORES} --alpha 0.2 --repeats 2 --json"),
    (DONE, f"verify {SCORES} --splits 2 --test-size 3 --k 1 --alpha 0.2"),
    (FAILED, "verify --labeled short.npy --labels s/labels.npy"),
    (DONE, "man"),
    (DONE, "completions bash"),
    # Images.
    (DONE, "landmarks draw --out f --n 10 --new 2"),
    (DONE, "landmarks embed f/new --out e.npy --no-cache --working-size 96"),
    (DONE, "landmarks calibrate --images f/labeled --landmarks f/labeled.csv --score cosine --out f.caos "
           "--no-cache --working-size 96"),
    (DONE, "inspect f.caos"),
    (DONE, "landmarks predict f.caos f/new --alpha 0.2 --out regions.json --overlay o --no-cache"),
    (DONE, "landmarks predict f.caos f/new --alpha 0.2 --method full-caos --out regions.csv "
           "--no-cache"),
    (DONE, "landmarks predict f.caos f/new --alpha 0.2 --simultaneous --out regions.csv --no-cache"),
    (MISUSED, "landmarks predict f.caos f/new --method full-caos --simultaneous --out r.csv"),
    (FAILED, "landmarks predict f.caos f/none --out none.json --no-cache"),
    (DONE, f"landmarks evaluate {FACES} --alpha 0.2 --score cosine --methods caos,full-caos,scos,scos-best"),
    (DONE, f"landmarks evaluate {FACES} --alpha 0.2 --score softmax --json"),
    (DONE, f"landmarks evaluate {FACES} --alpha 0.2 --simultaneous --json"),
    (DONE, "landmarks convert f/labeled.csv c.xml"),
    (DONE, "landmarks convert f/labeled.csv c.json --to coco --images f/labeled"),
    (DONE, "landmarks convert f/labeled.csv c.tps --tps-y bottom --images f/labeled"),
    (DONE, "landmarks convert c.xml back.csv"),
    (FAILED, "landmarks convert texts.csv c2.xml"),
    # Texts.
    (DONE, f"text score {TEXTS} --out store"),
    (DONE, f"text evaluate {TEXTS} --store store --test-size 4 --alpha 0.2"),
    (DONE, f"text calibrate {TEXTS} --store store --out t.caos"),
    (DONE, "text predict t.caos new.csv --id-column id --alpha 0.2 --out sets.csv"),
    (DONE, "text predict t.caos new.csv --id-column id --alpha 0.2 --out sets.jsonl --json"),
    (DONE, "inspect t.caos --json"),
    (FAILED, "text calibrate --train none.csv --out none.caos"),
    (FAILED, "text evaluate --train texts.csv --model llama:short.npy --test-size 4"),
    # Experiments.
    (DONE, "experiment landmarks --images f --landmarks f/all.csv --labeled 9 --test 3 --k 2 "
           "--alpha 0.2 --landmark-step 10 --no-cache --working-size 64 --out report"),
    (DONE, "experiment raft --data raft --seeds 1 --test-size 4 --out raft-report"),
    (FAILED, "experiment raft --data none --out none-report"),
    # The studio, which `look_into_studio` visits.
    (DONE, "serve --data studio --port 0 --json"),
    (MISUSED, "serve --data studio --port 70000"),
    (FAILED, "serve --data texts.csv/studio --port 0"),
]


def prepare(folder):
    """Inputs that the program does not make itself."""
    rows = (MESSAGES / "messages.csv").read_text(encoding="utf-8").splitlines()
    (folder / "texts.csv").write_text("\n".join(rows[:17]) + "\n", encoding="utf-8")
    shutil.copy(MESSAGES / "task.json", folder)
    new = (MESSAGES / "new.csv").read_text(encoding="utf-8").splitlines()
    (folder / "new.csv").write_text("\n".join(new[:4]) + "\n", encoding="utf-8")
    (folder / "short.npy").write_bytes(b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8'")
    (folder / "short.caos").write_bytes(b"\x10\x00\x00\x00\x00\x00\x00\x00{\"a\":")
    task = folder / "raft/messages"
    task.mkdir(parents=True)
    shutil.copy(folder / "texts.csv", task / "train.csv")
    shutil.copy(folder / "task.json", task)


def ask(port, method, path, body=None):
    """Must be answered, and not with an internal error."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    connection.request(method, path, body=body, headers={"Content-Type": "application/json"})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    if answer.status >= 500:
        raise AssertionError(f"{method} {path}: {answer.status} {content[:200]}")
    return content


def look_into_studio(process, folder):
    """Some requests, right and wrong, then the end that a service manager asks for."""
    text = ""
    for line in process.stdout:
        text += line
        if line == "}\n":
            break
    if not text:
        return  # it ended at once, and its exit code says so
    port = urllib.parse.urlsplit(json.loads(text)["url"]).port
    project = json.loads(ask(port, "POST", "/v1/projects", '{"name": "faces"}'))["id"]
    ask(port, "PUT", f"/v1/projects/{project}/scheme",
        '{"revision": 0, "landmarks": [{"name": "nose"}]}')
    face = sorted(Path(folder, "f/new").iterdir())[0]
    ask(port, "POST", f"/v1/projects/{project}/images?name=a.png", face.read_bytes())
    ask(port, "POST", f"/v1/projects/{project}/images?name=b.png", b"no image")
    ask(port, "POST", "/v1/projects", "{" * 200)
    for path in ("/", "/v1/projects", f"/v1/projects/{project}", f"/v1/projects/{project}/images",
                 f"/v1/projects/{project}/queue", "/metrics", "/v1/nothing", "/%00"):
        ask(port, "GET", path)
    process.send_signal(signal.SIGTERM)


def run(words, folder):
    """The exit code under valgrind, and what was said."""
    environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
    with open(folder / "said.txt", "w+", encoding="utf-8", errors="replace") as said:
        process = subprocess.Popen([*VALGRIND, PROGRAM, *words], cwd=folder, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said,
                                   text=True)
        if words[:1] == ["serve"] and "--help" not in words:
            look_into_studio(process, folder)
        process.communicate(timeout=1800)
        said.seek(0)
        return process.returncode, said.read()


def commands(words=()):
    """Every command that the program's help lists, as its words."""
    text = subprocess.run([PROGRAM, *words, "--help"], capture_output=True, check=True,
                          text=True).stdout
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", text, re.MULTILINE)
    names = re.findall(r"^  (\S+)", listed[1], re.MULTILINE) if listed else []
    if not names:
        return [words]
    return [command for name in names for command in commands((*words, name))]


def without_a_command():
    """Commands that came later than this list."""
    begun = [tuple(shlex.split(words)) for _, words in COMMANDS]
    return [" ".join(command) for command in commands() if not any(b[:len(command)] == command for b in begun)]


def main(chosen):
    if not shutil.which("valgrind"):
        sys.exit("there is no valgrind; run tools/setup --valgrind")
    missing = without_a_command()
    if missing:
        sys.exit(f"no command here tries: {', '.join(missing)}")
    helps = [(DONE, " ".join((*command, "--help"))) for command in commands()]
    failures = 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="caos-valgrind-") as name:
        folder = Path(name)
        prepare(folder)
        tried = [(code, words) for code, words in COMMANDS + helps
                 if not chosen or any(word in words for word in chosen)]
        for code, words in tried:
            got, said = run(shlex.split(words), folder)
            print(f"{'ok' if got == code else 'NOT OK':6} exit {got:2}  caos {words}", flush=True)
            if got != code:
                failures += 1
                print(f"exit {code} would have been right. It said:\n{said}", flush=True)
    print(f"{len(tried)} commands, {failures} not as they should be, "
          f"{time.monotonic() - began:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
