"""What both Python clients are called with, and how they show results."""

import json
import os

BASE = os.environ["API_BASE"]
VIDEO = os.environ["VIDEO_ID"]
NAME = os.environ["NAME"]


def show(call, *result):
    print(json.dumps({"call": call, "result": result}))
