"""A Slurm of this one machine, where its daemons are installed (`apt install slurm-wlm munge`) and
may be started: real queues, real job arrays, in a folder of its own."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

DAEMONS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")
_CPUS = 8
"""As many tasks may run at once, on however few cores."""
_CONFIGURATION = """
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerParameters=batch_sched_delay=1,sched_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
KillWait=5
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


def slurm_answers() -> bool:
    """Does a Slurm run here? Without its configuration sinfo looks for a minute."""
    try:
        return (
            shutil.which("sinfo") is not None
            and subprocess.run(["sinfo"], capture_output=True, check=False, timeout=5).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        return False


def is_installed() -> bool:
    """May a Slurm be started here?"""
    return os.geteuid() == 0 and all(map(_tool, DAEMONS))


@contextmanager
def one_node(folder: Path) -> Iterator[Mapping[str, str]]:
    """A running Slurm; yields the variables by which its commands find it.

    Raises:
        RuntimeError: a daemon does not start.
    """
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    configuration = folder / "slurm.conf"
    controller, node = _free_ports(2)
    configuration.write_text(
        _CONFIGURATION.format(
            host=socket.gethostname().partition(".")[0],
            folder=folder,
            controller=controller,
            node=node,
            cpus=_CPUS,
        )
    )
    key = folder / "munge.key"
    key.write_bytes(secrets.token_bytes(128))
    key.chmod(0o400)
    found = {"SLURM_CONF": str(configuration)}
    environment = {**os.environ, **found}
    munge = [
        "--foreground",
        "--force",
        f"--key-file={key}",
        *(f"--{name}-file={folder}/munge.{name}" for name in ("pid", "log", "seed")),
        f"--socket={folder}/munge.socket",
    ]
    daemons: list[subprocess.Popen[str]] = []
    try:
        for name, options, ready in (
            ("munged", munge, None),
            ("slurmctld", ["-D", "-c"], "Running as primary controller"),
            ("slurmd", ["-D"], "slurmd started on"),
        ):
            daemons.append(_started(name, options, environment))
            _await(daemons[-1], ready)
        yield found
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            daemon.wait()


def _started(
    name: str, options: Sequence[str], environment: Mapping[str, str]
) -> subprocess.Popen[str]:
    tool = _tool(name)
    assert tool is not None
    return subprocess.Popen(
        [tool, *options],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _await(daemon: subprocess.Popen[str], ready: str | None) -> None:
    """Read what a daemon says until it is ready, and leave the rest to a thread: a full pipe would
    stop it."""
    assert daemon.stderr is not None
    said: list[str] = []
    while ready is not None:
        line = daemon.stderr.readline()
        said.append(line)
        if ready in line:
            break
        if not line:
            raise RuntimeError(f"a daemon ended: {''.join(said)}")
    Thread(target=daemon.stderr.read, daemon=True).start()


def _free_ports(number: int) -> list[int]:
    sockets = [socket.socket() for _ in range(number)]
    try:
        for s in sockets:
            s.bind(("127.0.0.1", 0))
        return [s.getsockname()[1] for s in sockets]
    finally:
        for s in sockets:
            s.close()


def _tool(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
