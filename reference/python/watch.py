"""Ends this process when its standard input ends.

The process that started it holds the other end. When that one is killed,
nothing goes on writing into a folder that the next run removes.
"""

import os
import threading


def watch():
    while os.read(0, 1):
        pass
    os._exit(70)


threading.Thread(target=watch, daemon=True).start()
