"""`python -m looplaw`, and the script `looplaw`, are the command line."""

from looplaw_common.collection import collect_rarely

from .cli.main import main


def run() -> None:
    """The command line as the whole of a process."""
    collect_rarely()
    main()


if __name__ == "__main__":
    run()
