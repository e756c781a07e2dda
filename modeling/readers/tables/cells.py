"""One cell of a table: a number with its unit, a word, or nothing.

Numbers come as people write them: with thousands or decimal commas, a unit ("4.85 ms", "12 %"), a
prefix ("64K"), as a power ("2^20"), as a spread ("5.6 ± 1.5 ms"), as a duration ("1m12.3s",
"02:10:05") and as the side of a square ("512x512").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from looplaw_common.errors import DataError

from ...data.checks import exact_text
from ...data.observations import Number
from ...data.units import factor, is_time, is_unit, unit_of

LONGEST = 80
"""Characters of a cell that may be a number; the patterns are never tried on more."""
_MISSING = frozenset(
    ["", "-", "--", "---", "–", "—", "?", ".", "na", "n/a", "#n/a", "nan", "null", "none", "nil"]
    + ["timeout", "t/o", "oom", "dnf", "failed", "error", "skipped", "missing"]
)
_BOUND = re.compile(
    r"(?:[<>≤≥]=?|(?:over|under|more than|less than|at least|at most)\s)\s*\d[\d.,]*\s*[a-zA-Zµ%×]*"
)
"""What is only known to be more or less than something: a run that was ended."""
_LONGEST_BOUND = 24
_GROUPED = {
    ".": re.compile(r"(\d{1,3})((?:,\d{3})+|(?:[ '_\u00a0\u202f]\d{3})+)(\.\d+)?"),
    ",": re.compile(r"(\d{1,3})((?:\.\d{3})+|(?:[ '_\u00a0\u202f]\d{3})+)(,\d+)?"),
}
_BODY = r"(?:\d[\d.,'_\u00a0\u202f]*(?: \d{3}(?!\d)[.,\d]*)*|[.,]\d+)"
_NUMBER = re.compile(rf"([-+]?)\$?({_BODY})([eE][-+]?\d+)?\s*(.*)", re.DOTALL)
_DURATION = re.compile(
    r"(?:(\d+)\s*d(?:ays?)?\s*)?(?:(\d+)\s*h(?:ours?|rs?)?\s*)?(?:(\d+)\s*m(?:in(?:utes?|s)?)?\s*)?"
    r"(?:(\d+(?:\.\d+)?)\s*s(?:ec(?:onds?|s)?)?)?"
)
_CLOCK = re.compile(r"(?:(\d+)-)?(?:(\d{1,3}):)?(\d{1,3}):(\d{2}(?:\.\d+)?)")
_POWER = re.compile(r"(?:(\d+(?:\.\d+)?)\s*[x×·*]\s*)?(\d+)\s*(?:\^|\*\*)\s*\{?(-?\d{1,3})\}?")
_SQUARE = re.compile(r"(\d{1,9})\s*[x×X*]\s*\1(?:\s*[x×X*]\s*\1)?")
_SPREAD = re.compile(r"\s*(?:±|\+/-|\+-)\s*[\d.,]+(?:[eE][-+]?\d+)?\s*%?")
_PREFIXES = {"k": 1, "K": 1, "M": 2, "G": 3, "T": 4}
_WORDS = {"thousand": 1, "million": 2, "mio": 2, "billion": 3}
_TWOS = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4}
_PER = re.compile(r"\s*(?:/|per)\s*(?:op|ops|iter|iteration|call|element|item|loop|run|step)s?")
_LAST_REMARK = re.compile(r"\s*\([^()]*\)$")
_SECONDS = re.compile(r"/ ?sec(?:ond)?$")
_SHARE = "%"
_STRESSED = re.compile(r"^_(.+)_$")
_CODE = re.compile(r"`([^`]*)`")
_LINK = re.compile(r"!?\[([^\[\]]+)\]\((?=[^\s]*[/#:])(?:[^()\s]|\([^()\s]*\))*\)")
_AROUND = tuple(" *`_\t-→")


class Quantity(NamedTuple):
    """A finite number as it was written, and its unit, empty where there is none."""

    number: Number
    unit: str


@dataclass(frozen=True)
class Style:
    """How the numbers of a table are written. decimal: "." or ","; kilo: what K stands for."""

    decimal: str = "."
    kilo: int = 1000

    @staticmethod
    def of(cells: Iterable[str], *, comma_is_decimal: bool = False) -> Style:
        """The style that cells agree with.

        Args:
            comma_is_decimal: what "1,234" is where no other cell tells.
        """
        marks: set[str] = set()
        mantissas: list[str] = []
        is_grouped = False
        for text in cells:
            body = text.strip()[:LONGEST]
            if found := re.match(r"[-+]?(\d+)([.,])(\d+)(?=\D|$)", body):
                marks |= _marks(found[1], found[2], found[3], body[found.end() : found.end() + 1])
                is_grouped |= found[2] == ","
            if kilo := re.fullmatch(r"(\d+) ?[kKM]", body):
                mantissas.append(kilo[1])
        numbers = [int(m) for m in mantissas if len(m) < 10]
        doubles = bool(numbers) and all(n > 0 and n & (n - 1) == 0 for n in numbers)
        decimal = "," if marks == {","} or (not marks and comma_is_decimal and is_grouped) else "."
        return Style(decimal, 1024 if doubles and max(numbers) > 1 else 1000)


def _marks(whole: str, mark: str, fraction: str, behind: str) -> set[str]:
    """Which decimal mark a number shows; none where "1,234" may be either."""
    other = "," if mark == "." else "."
    if behind == other:  # 1,234.5
        return {other}
    if behind == mark:  # 1,234,567
        return {other}
    if len(fraction) != 3 or whole.startswith("0") or len(whole) > 3:
        return {mark}
    return {"."} if mark == "." else set()


def clean(text: str) -> str:
    """A cell without blanks and marks of emphasis around it, of code and of links in it."""
    if text.count("`") > 1:
        text = _CODE.sub(r"\1", text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if text[:1] in _AROUND or text[-1:] in _AROUND:
        text = (
            _STRESSED.sub(r"\1", text.strip().strip("*`"))
            .strip()
            .removeprefix("->")
            .removeprefix("→")
            .lstrip()
        )
    return text


def is_missing(text: str) -> bool:
    """Does a cell say that there is no value?"""
    return len(text) < 10 and text.strip().lower() in _MISSING


def is_bound(text: str) -> bool:
    """Does a cell say only that a value is more or less than a number?"""
    if text[:1].isdecimal():  # most cells are plain numbers
        return False
    return len(text) < _LONGEST_BOUND and _BOUND.fullmatch(text.strip().lower()) is not None


def quantity(text: str, style: Style) -> Quantity | None:
    """The number that a cell holds; None where it holds none."""
    if style.decimal == "." and "_" not in text:  # most cells are plain numbers
        with suppress(ValueError):
            number = float(text)
            if isfinite(number):
                is_whole = number.is_integer() and text.strip().lstrip("+-").isdecimal()
                return Quantity(int(text) if is_whole else number, "")
    text = clean(text)
    if len(text) > LONGEST or not any(c.isdecimal() for c in text):
        return None
    plain = _plain(text) if style.decimal == "." else None
    return Quantity(plain, "") if plain is not None else _written(text, style)


def _plain(text: str) -> Number | None:
    try:
        return exact_text(text, "", "")
    except DataError:
        return None


def _written(text: str, style: Style) -> Quantity | None:
    if found := _SQUARE.fullmatch(text):
        return Quantity(int(found[1]), "")
    if found := _POWER.fullmatch(text):
        return _power(found)
    if found := _CLOCK.fullmatch(text):
        days, hours, minutes, seconds = (float(g or 0) for g in found.groups())
        return Quantity(((days * 24 + hours) * 60 + minutes) * 60 + seconds, "s")
    text = _SPREAD.sub("", text.lstrip("~≈"), count=1).strip()
    if found := _DURATION.fullmatch(text):
        if sum(g is not None for g in found.groups()) > 1:
            days, hours, minutes, seconds = (float(g or 0) for g in found.groups())
            return Quantity(((days * 24 + hours) * 60 + minutes) * 60 + seconds, "s")
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    sign, body, exponent, behind = found.groups()
    number = _plain(f"{sign}{_dotted(body, style)}{exponent or ''}")
    return None if number is None else _scaled(number, behind.strip(), style)


def _power(found: re.Match[str]) -> Quantity | None:
    base, exponent = int(found[2]), int(found[3])
    if base > 1000 or abs(exponent) > 100:
        return None
    power = base**exponent if exponent >= 0 else float(base) ** exponent
    times = _plain(found[1]) if found[1] else 1
    return None if times is None else Quantity(times * power, "")


def _dotted(body: str, style: Style) -> str:
    """The digits of a number with a decimal point and without groups."""
    if found := _GROUPED[style.decimal].fullmatch(body):
        whole = found[1] + re.sub(r"\D", "", found[2])
        return whole + (found[3] or "").replace(",", ".")
    return body.replace(",", ".") if style.decimal == "," and body.count(",") == 1 else body


def _scaled(number: Number, behind: str, style: Style) -> Quantity | None:
    """A number with what stands behind it: a unit, a prefix, or both; a remark in brackets is
    none."""
    behind = _SECONDS.sub("/s", _LAST_REMARK.sub("", behind))
    behind = _PER.sub("", behind) if (behind and "/" in behind) or " per " in behind else behind
    if not behind:
        return Quantity(number, "")
    if behind in (_SHARE, "x", "×", "X", "/s"):
        return Quantity(number, behind)
    power = _PREFIXES.get(behind) or _WORDS.get(behind.lower())
    if power:
        kilo = 1000 if behind.lower() in _WORDS else style.kilo
        return Quantity(number * kilo**power, "")
    if behind in _TWOS:
        return Quantity(number * 1024 ** _TWOS[behind], "")
    if is_unit(behind):
        return Quantity(number, unit_of(behind))
    word = re.fullmatch(r"([a-zA-Zµμ]+(?:/s)?)", behind)
    return Quantity(number, word[1]) if word and len(word[1]) <= 12 else None


def unit_said(text: str) -> str:
    """The unit in a cell or name of one, without what it is counted for: "us" of "us/op"."""
    return unit_of(_PER.sub("", text.strip()))


def in_unit(found: Quantity, unit: str) -> Number | None:
    """The number in another unit of its kind; None where it has none such."""
    if not found.unit or found.unit == unit or not unit:
        return found.number
    try:
        return found.number * factor(found.unit, unit, "")
    except DataError:
        return None


@lru_cache(maxsize=1 << 16)
def number_in_unit(text: str, style: Style, unit: str) -> Number | None:
    """The number that a cell holds in a unit, of cells that come back."""
    found = quantity(text, style)
    return None if found is None else in_unit(found, unit)


def measures_time(unit: str) -> bool:
    """Is it a unit of time?"""
    return is_time(unit)
