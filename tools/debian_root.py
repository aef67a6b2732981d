"""Clean Debian roots to change into (chroot), from the mirror that apt on this machine uses; needs root and debootstrap."""

import os
import pathlib
import shutil
import subprocess


class Failed(Exception):
    pass


def run(*command, **options):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, **options)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))[:200]}\n{done.stdout}")
    return done.stdout


def require_tools():
    if os.geteuid() != 0:
        raise Failed("needs root, to change into another Debian; run it with sudo")
    if not shutil.which("debootstrap"):
        raise Failed("debootstrap is missing: tools/setup --packages installs it")


def own_suite():
    """The release of this machine: bookworm."""
    lines = pathlib.Path("/etc/os-release").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line).get("VERSION_CODENAME", "")


def sources(suite):
    """Where apt on this machine fetches Debian from, as (address, suite, component), for another release."""
    text = run("apt-get", "indextargets", "--format",
               "$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)", "Created-By: Packages")
    rows = [row.split() for row in text.splitlines()]
    own = own_suite()
    found = [(address, of.replace(own, suite), part) for address, of, part, *origin in rows
             if origin and origin[-1].startswith("Debian") and of.startswith(own)]
    if not any(of == suite for _, of, _ in found):
        raise Failed(f"apt on this machine has no source of Debian {own}")
    return sorted(set(found))


def configure_apt(root, suite):
    """The root reaches the mirror as this machine does."""
    lines = [f"deb {address} {of} {part}\n" for address, of, part in sources(suite)]
    (root / "etc/apt/sources.list").write_text("".join(lines))
    settings = [line for line in run("apt-config", "dump").splitlines() if "proxy" in line.lower()]
    (root / "etc/apt/apt.conf.d/99proxy").write_text("\n".join([*settings, ""]))
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")


def plain_root(root, suite, fresh):
    """A minimal Debian, fetched once."""
    if fresh or not (root / "etc/.complete").exists():
        shutil.rmtree(root, ignore_errors=True)
        root.parent.mkdir(parents=True, exist_ok=True)
        address = next(address for address, of, _ in sources(suite) if of == suite)
        run("debootstrap", "--variant=minbase", suite, root, address)
        configure_apt(root, suite)
        inside(root, "apt-get update --quiet && apt-get upgrade --quiet --yes")
        (root / "etc/.complete").touch()
    return root


def command_inside(root, script, folder="/", path=""):
    """The command that runs a script in the root, with private mounts that end with it."""
    outer = ('mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" '
             '/usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive '
             'XDG_CACHE_HOME=/tmp/cache PATH="$1" sh -euc "cd \\"$2\\"; $3"')
    path = f"{path}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".strip(":")
    return ["unshare", "--mount", "--fork", "sh", "-c", outer, str(root), path, folder, script]


def inside(root, script, folder="/", path=""):
    return run(*command_inside(root, script, folder, path))
