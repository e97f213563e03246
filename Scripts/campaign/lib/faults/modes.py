"""The modes by name, and running them one after the other."""
import concurrent.futures
import time

from lib.faults import disks, strace, sweep
from lib.faults.protocols import PROTOCOLS


def sweep_one(name, options, limit):
    return sweep.Sweep(name, options.seed, limit, options.fault, options.call).carry_out()


def sweeping(options):
    why = strace.missing()
    if why:
        return skip("sweep", why)
    names = options.protocol or list(PROTOCOLS)
    limit = options.sample or (14 if options.quick else None)
    print("sweep: no protocol `migrate`: the index has had one version so far; `rebuild` makes it anew", flush=True)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        tasks = [pool.submit(sweep_one, name, options, limit) for name in names]
        sweeps = []
        for task in tasks:
            try:
                sweeps.append(task.result())
            except disks.Refused as error:
                return skip("sweep", str(error))
    print(sweep.table(sweeps))
    return sum(one.wrong for one in sweeps)


MODES = {"sweep": sweeping}


def skip(name, why):
    print(f"{name}: SKIPPED, {why}", flush=True)
    return 0


def run(options):
    wrong = 0
    print(f"seed: {options.seed}", flush=True)
    for name in options.modes or MODES:
        started = time.monotonic()
        wrong += MODES[name](options)
        print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)
    return 1 if wrong else 0
