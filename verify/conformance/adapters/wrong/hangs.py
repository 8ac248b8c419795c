#!/usr/bin/env python3
"""Wrong on purpose: reads and never answers. Every question is a timeout."""
import sys
import time

for _ in sys.stdin:
    time.sleep(3600)
