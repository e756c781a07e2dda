"""What an analysis gives when its time is used up, or when it is told to end."""

from __future__ import annotations
