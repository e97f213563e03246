"""The modes by name, and running them one after the other."""
import concurrent.futures
import signal
import sys
import time

from lib.faults import disks, limits, power, race, readonly, space, strace, sweep, unmount
from lib.faults.protocols import PROTOCOLS


def workers(options):
    """One that is told to end unmounts what it has mounted."""
    return concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=end_when_told)


def end_when_told():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def sweep_one(name, options, limit):
    return sweep.Sweep(name, options.seed, limit, options.fault, options.call).carry_out()


def sweeping(options):
    why = strace.missing()
    if why:
        return skip("sweep", why)
    names = options.protocol or list(PROTOCOLS)
    limit = options.sample or (10 if options.quick else None)
    with workers(options) as pool:
        tasks = [pool.submit(sweep_one, name, options, limit) for name in names]
        sweeps = []
        for task in tasks:
            try:
                sweeps.append(task.result())
            except disks.Refused as error:
                return skip("sweep", str(error))
    print(sweep.table(sweeps))
    return sum(one.wrong for one in sweeps)


def several(name, work, plans, options, *more):
    """Runs a mode's parts side by side and tells what became of each; a machine that cannot is told."""
    wrong = 0
    with workers(options) as pool:
        tasks = [(plan, pool.submit(work, *plan, *more, options.seed)) for plan in plans]
        for plan, task in tasks:
            try:
                figures = task.result()
            except disks.Refused as error:
                skip(" ".join((name,) + plan), str(error))
                continue
            print(f"{name} {', '.join(plan)}".strip() + ": " + ", ".join(f"{key} {value}" for key, value in figures.items()), flush=True)
            wrong += figures["wrong"]
    return wrong


def power_layout(layout, mode, cuts, seed):
    return power.Power(layout, mode, cuts, seed).carry_out()


def cutting(options):
    plans = [(layout, mode) for layout in power.LAYOUTS for mode in power.MODES]
    cuts = options.cuts or (18 if options.quick else 240)
    return several("power", power_layout, plans, options, -(-cuts // len(plans)))


def filling(options):
    return several("space", space.one_place, [(place,) for place in space.PLACES], options, 4 if options.quick else 40)


def limiting(options):
    if limits.missing():
        return skip("limits", limits.missing())
    return several("limits", limits.one_kind, [(kind,) for kind in limits.KINDS], options, 4 if options.quick else 40)


def protecting(options):
    plans = [(place,) for place in readonly.PLACES]
    return several("readonly", readonly.one_place, plans, options, 4 if options.quick else 40)


def racing(options):
    if strace.missing():
        return skip("race", strace.missing())
    return several("race", race.carry_out, [()], options, 8 if options.quick else 80)


def pulling(options):
    plans = [(place,) for place in unmount.PLACES]
    return several("unmount", unmount.one_place, plans, options, *((3, 1) if options.quick else (30, 5)))


MODES = {"sweep": sweeping, "power": cutting, "space": filling, "limits": limiting, "readonly": protecting,
         "race": racing, "unmount": pulling}


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
