"""Runs pip, and ends when standard input does.

The process that starts this keeps its standard input open. When that process
is killed the input ends, so pip never goes on writing into a folder that the
next run removes.
"""

import os
import runpy
import sys
import threading


def watch():
    while os.read(0, 1):
        pass
    os._exit(70)


threading.Thread(target=watch, daemon=True).start()
sys.argv[0] = "pip"
runpy.run_module("pip", run_name="__main__", alter_sys=True)
