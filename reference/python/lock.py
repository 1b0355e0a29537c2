"""Resolves a list of requirements into a lock: one version of each package, and
the sha256 of the wheel that each served platform takes.

Usage: python lock.py [--here | --served] [--like LOCK] REQUIREMENTS > LOCK

1. pip resolves the list for every row of PLATFORMS, wheels only, and reports
   what it would install. What one row chose binds the rows after it.
2. pip reads the markers of dependencies ("; platform_system == ...") for the
   machine that it runs on. So the closure of the list is walked again with the
   markers read for the row: packages out of reach are dropped, and packages
   that are missing are asked for by name in another round.
3. The rows are joined. A package that only some platforms take gets a marker.

With --here only the platform that this runs on is resolved. With --served a platform
that pip finds no set of wheels for is left out, and the lock names it. With --like every
package has the version that it has in LOCK, unless a requirement of the list, or
what one of these requires itself, excludes it.
The index, proxy and certificates are pip's own settings. The lock names no host.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile

from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name

PYTHON = "%d.%d" % sys.version_info[:2]


def manylinux(arch, newest):
    tags = ["manylinux_2_%d_%s" % (minor, arch) for minor in range(newest, 16, -1)]
    return tags + ["manylinux2014_" + arch]


# A row is one kind of machine: the platform's marker values, and the tags that
# pip accepts there. The oldest and the newest system of a platform may take
# different wheels, so each has a row.
LINUX = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
DARWIN = {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"}
WINDOWS = {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"}
PLATFORMS = [
    ("Linux x86_64, glibc 2.28", LINUX, "x86_64", manylinux("x86_64", 28)),
    ("Linux x86_64, glibc 2.39", LINUX, "x86_64", manylinux("x86_64", 39)),
    ("Linux aarch64, glibc 2.28", LINUX, "aarch64", manylinux("aarch64", 28)),
    ("Linux aarch64, glibc 2.39", LINUX, "aarch64", manylinux("aarch64", 39)),
    ("macOS 11 x86_64", DARWIN, "x86_64", ["macosx_11_0_x86_64"]),
    ("macOS 15 x86_64", DARWIN, "x86_64", ["macosx_15_0_x86_64"]),
    ("macOS 11 arm64", DARWIN, "arm64", ["macosx_11_0_arm64"]),
    ("macOS 26 arm64", DARWIN, "arm64", ["macosx_26_0_arm64"]),
    ("Windows AMD64", WINDOWS, "AMD64", ["win_amd64"]),
]


def requirements(path):
    """The lines of a requirements file, without comments."""
    with open(path, encoding="utf-8") as f:
        lines = (line.split("#")[0].strip() for line in f)
        return [line for line in lines if line]


def liked(path):
    """{name: version} of a lock."""
    pins = [Requirement(line.split(";")[0].rstrip("\\").strip()) for line in requirements(path) if "==" in line]
    return {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin in pins}


def allowed(pins, label, tags, wanted):
    """The pins that neither the list excludes nor what the packages of the list require themselves."""
    demands = [Requirement(line) for line in wanted]
    for item in report(label, tags, wanted, {}, "--no-deps").values():
        demands += [d for d in map(Requirement, item["metadata"].get("requires_dist", [])) if not d.marker]
    pins = dict(pins)
    for demand in demands:
        name = canonicalize_name(demand.name)
        if name in pins and not demand.specifier.contains(pins[name]):
            del pins[name]
    return pins


class NoWheels(Exception):
    """A platform that pip finds no set of wheels for."""


def report(label, tags, wanted, pins, *more):
    """Asks pip what it would install. Returns {name: item of pip's report}."""
    with tempfile.TemporaryDirectory() as scratch:
        constraints = os.path.join(scratch, "constraints.txt")
        with open(constraints, "w", encoding="utf-8") as f:
            f.writelines("%s==%s\n" % pin for pin in sorted(pins.items()))
        out = os.path.join(scratch, "report.json")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run", "--ignore-installed"]
        command += ["--only-binary=:all:", "--python-version", PYTHON, "--implementation", "cp"]
        command += ["--target", scratch, "--report", out, "--constraint", constraints, *more]
        for tag in tags:
            command += ["--platform", tag]
        print("resolving for", label, file=sys.stderr)
        done = subprocess.run(command + wanted, stdout=sys.stderr)
        if done.returncode != 0:
            raise NoWheels("%s: pip found no set of wheels (its words are above)" % label)
        with open(out, encoding="utf-8") as f:
            items = json.load(f)["install"]
    return {canonicalize_name(item["metadata"]["name"]): item for item in items}


def closure(items, wanted, markers):
    """Walks the dependencies with the markers of a row. Returns the names in
    reach, and the requirements that pip left out."""
    reached, missing, todo = set(), [], [Requirement(line) for line in wanted]
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        wants = [e for e in sorted(requirement.extras)] or [""]
        if requirement.marker and not requirement.marker.evaluate(dict(markers, extra="")):
            continue
        key = (name, tuple(wants))
        if key in reached:
            continue
        reached.add(key)
        if name not in items:
            missing.append("%s%s" % (requirement.name, requirement.specifier))
            continue
        for line in items[name]["metadata"].get("requires_dist", []):
            dependency = Requirement(line)
            for extra in wants:
                if not dependency.marker or dependency.marker.evaluate(dict(markers, extra=extra)):
                    dependency.marker = None
                    todo.append(dependency)
                    break
    return {name for name, _ in reached}, missing


def resolve(label, system, machine, tags, wanted, pins):
    """One row: {name: (version, sha256)}. Adds to pins what it chose."""
    markers = dict(system, platform_machine=machine)
    asked = list(wanted)
    while True:
        items = report(label, tags, asked, pins)
        names, missing = closure(items, wanted, markers)
        if not missing:
            break
        asked += missing
    chosen = {}
    for name in names:
        version = items[name]["metadata"]["version"]
        pins[name] = version
        chosen[name] = (version, items[name]["download_info"]["archive_info"]["hashes"]["sha256"])
    return chosen


def marker_of(system, machine):
    return 'sys_platform == "%s" and platform_machine == "%s"' % (system["sys_platform"], machine)


def marker_for(holders, rows):
    """The marker of a package that the platforms in holders take, "" for all."""
    everywhere = {marker_of(row[1], row[2]) for row in rows}
    if holders == everywhere:
        return ""
    terms = []
    for system in sorted({row[1]["sys_platform"] for row in rows}):
        whole = {marker_of(row[1], row[2]) for row in rows if row[1]["sys_platform"] == system}
        if whole <= holders:
            terms.append('sys_platform == "%s"' % system)
        else:
            terms += sorted("(%s)" % term for term in whole & holders)
    return " or ".join(terms)


def write(rows, tables, left, out, source):
    out.write("# Made by reference/python/lock.py%s; do not edit.\n" % source)
    out.write("# CPython %s, wheels only. Every package has a wheel for each of:\n" % PYTHON)
    for row in rows:
        out.write("#   %s\n" % row[0])
    if left:
        out.write("# Not all of them have one for: %s\n" % "; ".join(left))
    packages = {}
    for row, table in zip(rows, tables):
        for name, (version, sha256) in table.items():
            version_, hashes, holders = packages.setdefault(name, (version, set(), set()))
            if version_ != version:
                sys.exit("%s: %s needs version %s, other platforms %s" % (name, row[0], version, version_))
            hashes.add(sha256)
            holders.add(marker_of(row[1], row[2]))
    for name, (version, hashes, holders) in sorted(packages.items()):
        marker = marker_for(holders, rows)
        head = "%s==%s" % (name, version) + (" ; " + marker if marker else "")
        out.write(" \\\n".join([head] + ["    --hash=sha256:" + h for h in sorted(hashes)]) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--here", action="store_true")
    parser.add_argument("--served", action="store_true")
    parser.add_argument("--like")
    parser.add_argument("requirements")
    args = parser.parse_args()
    rows = PLATFORMS
    if args.here:
        rows = [r for r in rows if r[1]["sys_platform"] == sys.platform and r[2] == platform.machine()]
        if not rows:
            sys.exit("no wheels are served for %s %s" % (sys.platform, platform.machine()))
    wanted, pins = requirements(args.requirements), {}
    if args.like:
        label, _, _, tags = rows[0]
        pins = allowed(liked(args.like), label, tags, wanted)
    served, tables, left = [], [], []
    for row in rows:
        try:
            tables.append(resolve(*row, wanted, pins))
            served.append(row)
        except NoWheels:
            if not args.served:
                raise
            left.append(row[0])
    if not served:
        raise NoWheels("pip found no set of wheels for any platform")
    write(served, tables, left, sys.stdout, "" if args.like else " from the list beside it" if args.served else " from requirements.in")


try:
    main()
except NoWheels as error:
    sys.exit(str(error))
