"""All measurements, in the order of docs/performance.md, with their goals."""
import importlib

# The order in which they run and stand in the tables.
NAMES = [
    "index", "unchanged", "replicate", "latency", "delta", "rename", "search", "memory", "idle", "scale", "conflicts", "resolve",
]


def modules():
    return [importlib.import_module(f"measurements.{name}") for name in NAMES]


def goals():
    return [goal for module in modules() for goal in module.GOALS]
