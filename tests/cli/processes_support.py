"""Running the program on several processes, by mpirun, on this machine alone."""

import os
import shutil
import subprocess

from support import PATIENCE, PROGRAM, Run

MPIRUN = os.environ.get("CAOS_MPIRUN") or shutil.which("mpirun") or ""

# Shared memory and loopback: nothing of the network is touched. Tests may run as root and on one core.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_oob_tcp_if_include": "lo",
    "ASAN_OPTIONS": "detect_leaks=0",  # MPI keeps some memory to its end
}
COMMAND = [MPIRUN, "--oversubscribe", "--bind-to", "none"]


def without_mpi():
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, check=True).stdout
    return b"without MPI" in version


class OnProcesses:
    """For tests of the program: what it does on several processes is what it does alone."""

    num_processes = 4

    def setUp(self):
        super().setUp()
        if not MPIRUN:
            self.skipTest("NOT TESTED: mpirun not found; run tools/setup")
        if without_mpi():
            self.skipTest("NOT TESTED: this caos is without MPI")
        self.environment |= ENVIRONMENT

    def command(self, *arguments, others=None):
        """`others`: what the last process is told instead."""
        words = [PROGRAM, *map(str, arguments)]
        if others is None:
            return [*COMMAND, "-n", str(self.num_processes), *words]
        return [*COMMAND, "-n", str(self.num_processes - 1), *words, ":", "-n", "1", PROGRAM,
                *map(str, others)]

    def run_processes(self, *arguments, others=None, stdin=b""):
        done = subprocess.run(self.command(*arguments, others=others), cwd=self.folder,
                              env=self.environment, input=stdin, capture_output=True,
                              timeout=120 * PATIENCE, check=False)
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())

    def outcome(self, run, inputs):
        """What a run said and left beside the inputs, which are put back."""
        left = {name: content for name, content in self.files().items()
                if inputs.get(name) != content}
        for name in left:
            (self.folder / name).unlink()
            if name in inputs:
                (self.folder / name).write_bytes(inputs[name])
        return run.code, run.out, run.err, left

    def same_on_processes(self, *arguments, stdin=b""):
        """Runs both; they must succeed, say the same and leave the same files."""
        inputs = self.files()
        alone = self.outcome(self.run_caos(*arguments, stdin=stdin), inputs)
        self.assertEqual(alone[0], 0, alone[2])
        shared = self.outcome(self.run_processes(*arguments, stdin=stdin), inputs)
        self.assertEqual(shared, alone)
        return alone

    def fail_on_processes(self, code, arguments, *said, others=None):
        """The processes must fail with one line of ours, and leave every file as it was."""
        before = self.files()
        run = self.run_processes(*arguments, others=others)
        self.assertEqual(run.code, code, run.err)
        self.assertEqual(run.out, "")
        ours = [line for line in run.err.splitlines() if "caos: " in line]
        self.assertEqual(len(ours), 1, run.err)
        for text in said:
            self.assertIn(text, ours[0])
        self.assertEqual(self.files(), before)
        return ours[0] + "\n"

    def fail_alike(self, code, arguments, *said):
        """One process must fail in the same way."""
        alone = self.refuse(code, arguments, *said)
        self.assertEqual(self.fail_on_processes(code, arguments, *said), alone)
