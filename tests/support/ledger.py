"""The ledger of faults that were tried: a line for each, in the file that CAOS_FAULT_LEDGER names, of
which tools/faults makes a table."""

import json
import os

LEDGER = os.environ.get("CAOS_FAULT_LEDGER", "")


def tried(fault, times=1, refused=0, lost=0, half=0):
    """Notes trials of a fault: how many ended in an error, as they should where the work could not
    be done; what was acknowledged and is gone; files that are neither the old nor the new ones."""
    if LEDGER:
        with open(LEDGER, "a", encoding="utf-8") as stream:
            stream.write(json.dumps({"fault": fault, "times": times, "refused": refused,
                                     "lost": lost, "half": half}) + "\n")
