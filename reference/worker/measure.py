"""What is measured in the worker's own process: code of the caller's, and calls that are timed."""

import contextlib
import io
import time

sessions = {}  # the namespaces that code runs in, by name


def run(session, code):
    """Runs code in a session's namespace; gives what it printed, and how it ended if it raised."""
    space = sessions.setdefault(session, {"__name__": "__main__"})
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(code, "<code>", "exec"), space)
        except MemoryError:
            raise
        except BaseException as error:
            print(f"{type(error).__name__}: {error}")
    return printed.getvalue()


def timed(call, arguments, calls):
    """Calls several times; gives the nanoseconds that each call took, and the last answer."""
    took, answer = [], None
    for _ in range(calls):
        answer = None  # what the last call made is freed outside the time of this one
        start = time.perf_counter_ns()
        answer = call(*arguments)
        took.append(time.perf_counter_ns() - start)
    return took, answer
