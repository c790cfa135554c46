"""How hypothesis works here: no deadlines, since a slow machine is no bug, and in CI the same examples every time."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

collect_ignore = ["fuzz/run.py"]  # needs the `fuzz` extra; its corpus runs as ordinary tests

settings.register_profile("home", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("home"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "home")
