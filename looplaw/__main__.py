"""`python -m looplaw` is the command line."""

from .entry import main

if __name__ == "__main__":
    main()
