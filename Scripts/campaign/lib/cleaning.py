"""One cleaning of a folder, looked at before and after, and taken back."""
import base64
import json
import os


def tree(place):
    """Every file and what it holds."""
    found = {}
    for folder, _, names in os.walk(place):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, place)] = file.read()
    return found


def listed(campaign, place, *options):
    code, out, err = campaign.run("conflicts", "clean", place, "--dry-run", "--jsonl", *options)
    campaign.expect(code == 0, f"the dry run ended with {code}: {err}")
    found = {}
    for line in out.splitlines():
        verdict = json.loads(line)
        path = base64.b64decode(verdict["pathBase64"]).decode("utf-8", "surrogateescape") if "pathBase64" in verdict else verdict["path"]
        found[path] = verdict
    return found


def check_verdicts(campaign, found, made, contained):
    for path, expected in made.items():
        verdict = found.pop(path, None)
        if expected.finding is None:
            campaign.expect(verdict is None, f"{path}: taken for a copy: {verdict}")
            continue
        goes = expected.finding == "identical" or contained and expected.finding == "contained"
        campaign.expect(
            verdict is not None and verdict["finding"] == expected.finding and verdict["goes"] == goes
            and verdict["scheme"] in expected.schemes,
            f"{path}: should be {expected}, goes {goes}, and is {verdict}")
    campaign.expect(not found, f"found besides: {list(found)[:5]}")


def clean(campaign, place, made, *options):
    contained = "--superset" in options
    before = tree(place)
    check_verdicts(campaign, listed(campaign, place, *options), made, contained)
    campaign.expect(tree(place) == before, "a dry run changed something")
    code, _, err = campaign.run("conflicts", "clean", place, "--yes", *options)
    campaign.expect(code == 0, f"cleaning ended with {code}: {err}")
    gone = {path for path, expected in made.items()
            if expected.finding == "identical" or contained and expected.finding == "contained"}
    after = tree(place)
    campaign.expect(after == {path: data for path, data in before.items() if path not in gone},
                    f"other files are gone than should: {sorted(set(before) - set(after) ^ gone)[:5]}")
    code, _, err = campaign.run("conflicts", "clean", place, "--undo", "--yes")
    # Where nothing went, there is nothing to undo.
    campaign.expect((code == 0) == bool(gone), f"the undo ended with {code}: {err}")
    campaign.expect(tree(place) == before, "the undo did not bring back what was there")
    return len(gone)
