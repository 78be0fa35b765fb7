"""What a process holds: memory, descriptors, threads."""

from __future__ import annotations

import gc
import os
import threading
import time


def resident_bytes(pid: int | None = None) -> int:
    """Resident memory of this process or of another."""
    with open(f"/proc/{pid or 'self'}/statm", "rb") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def open_fds() -> dict[int, str]:
    """This process's descriptors and what they are."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[int(name)] = os.readlink(f"/proc/self/fd/{name}")
        except FileNotFoundError:  # the one that listdir used
            continue
    return found


def native_threads() -> int:
    """Threads of this process, those that Python does not know included."""
    return len(os.listdir("/proc/self/task"))


class Holdings:
    """A moment's descriptors and threads, to be compared with a later one.

    settled() waits a little before it complains, since a thread or a socket may be on its way out.
    """

    def __init__(self) -> None:
        self.fds = open_fds()
        self.threads = native_threads()

    def settled(self, patience: float = 3.0) -> str:
        """What is held now and was not then, as a sentence; empty when nothing is."""
        deadline = time.monotonic() + patience
        while True:
            complaint = self._complaint()
            if not complaint or time.monotonic() > deadline:
                return complaint
            gc.collect()
            time.sleep(0.01)

    def _complaint(self) -> str:
        now = open_fds()
        fds = {fd: what for fd, what in now.items() if self.fds.get(fd) != what}
        if fds:
            return f"descriptors left open: {fds}"
        threads = native_threads()
        if threads > self.threads:
            names = [thread.name for thread in threading.enumerate()]
            return f"threads left running: {self.threads} before, {threads} now ({names})"
        return ""
