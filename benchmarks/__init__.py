"""Benchmarks against the peers: ``make bench``, or ``python -m benchmarks --help``.

A *subject* is a module with ``run(effort)``, which measures and returns results; ``registry`` lists
them, and ``gates`` holds every bound that a figure must keep. README.md tells what the rows mean.
"""
