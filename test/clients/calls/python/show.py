"""What both Python clients are called with, and how they show results."""

import json
import os
import pathlib
import time

BASE = os.environ["API_BASE"]
VIDEO = os.environ["VIDEO_ID"]
NAME = os.environ["NAME"]
SILENT = os.environ["SILENT_URL"]
PICTURE = pathlib.Path(os.environ["PICTURE"]).read_bytes()


def show(call, *result):
    print(json.dumps({"call": call, "result": result}))


def ended(ask):
    """Asks until an import has ended."""
    found = ask()
    while found.state == "running":
        time.sleep(0.5)
        found = ask()
    return found


def matches_of(snippet):
    """The texts of a snippet that are what was sought."""
    return [part.text for part in snippet if part.is_match]
