"""`python -m looplaw`, and the script `looplaw`, are the command line."""

from looplaw_common.working_folder import forget_working_folder

forget_working_folder()

from looplaw_common.collection import collect_rarely  # noqa: E402  found elsewhere from here on

from .cli.main import main  # noqa: E402


def run() -> None:
    """The command line as the whole of a process."""
    collect_rarely()
    main()


if __name__ == "__main__":
    run()
