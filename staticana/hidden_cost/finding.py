"""What the search for hidden cost finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class HiddenCost:
    """A place where a loop does work over and over: `call` is a function of the library or of the
    program, or "loop" for a loop of its own; `argument` the variable whose size drives the cost."""

    at: str
    function: str
    call: str
    argument: str
    message: str

    def to_json(self) -> dict[str, str]:
        return {
            "at": self.at,
            "function": self.function,
            "call": self.call,
            "argument": self.argument,
            "message": self.message,
        }
