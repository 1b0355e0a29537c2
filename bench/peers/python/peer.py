"""Runs a peer that is written in Python: see ../README.md.

Usage: python peer.py PROGRAM < REQUESTS > ANSWERS

PROGRAM defines prepare(request), which makes ready what is not measured and gives
two functions: one that does the work once, and one that tells its result as the
keys of an answer.
"""

import gc
import json
import runpy
import sys
import time

prepare = runpy.run_path(sys.argv[1])["prepare"]


def answer(request):
    work, tell = prepare(request)
    gc.collect()  # nobody pays for what another left
    start = time.perf_counter_ns()
    for _ in range(request["calls"]):
        result = work()
    took = time.perf_counter_ns() - start
    return {"ns": took, **tell(result)}


for line in sys.stdin:
    try:
        out = answer(json.loads(line))
    except Exception as error:
        out = {"cannot": "%s: %s" % (type(error).__name__, error)}
    print(json.dumps(out), flush=True)
