"""The language server: notes of the worker, at the places where the lines are now.

A file is analysed when it is opened and saved, and, once nobody has typed for a moment, when it
changes; what an older text is being analysed for is then cancelled. Until there is a new answer,
notes stay at the lines that did not change.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from looplaw_common.version import __version__

from .analyst import Analyst
from .channel import Incoming
from .moved_lines import lines_of, moved_lines
from .notes import Answer, Failed, Job, Notes, Options, Problem

SUFFIXES = frozenset(
    ".c .cc .cpp .cxx .C .c++ .rs .f90 .f95 .f03 .f08 .f .for .F90 .F .cl .cu .hip".split()
)
"""Files that are analysed; loops of headers are known from the files that include them."""
NAME = "looplaw"
_LARGEST = 4 << 20
"""Characters of a text that is analysed."""
_WATCHED = ("**/study.json", "**/laws.toml", "**/compile_commands.json")
_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "information": lsp.DiagnosticSeverity.Information,
    "hint": lsp.DiagnosticSeverity.Hint,
}


@dataclass(frozen=True)
class Placed:
    """Notes and the text whose lines they count."""

    notes: Notes = field(default_factory=Notes)
    text: str = ""


@dataclass
class Document:
    """An open file. good: the notes of the last text that compiled; problems: of the last text;
    headers: notes of files that it includes; task: the analysis of the present text."""

    path: Path
    good: Placed = field(default_factory=Placed)
    problems: Placed = field(default_factory=Placed)
    headers: dict[str, Notes] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None


class Editor:
    """The state of a server: the open files and their notes."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.options = Options()
        self._analyst = Analyst()
        self._documents: dict[str, Document] = {}
        self._failed: str | None = None

    # -- the life of the server
    def initialize(self, params: lsp.InitializeParams) -> None:
        """Take the options of the client."""
        self._take_options(params.initialization_options)

    async def initialized(self, params: lsp.InitializedParams) -> None:
        """Start the worker, and ask to hear of studies and laws."""
        with contextlib.suppress(OSError):
            await self._analyst.warm()
        workspace = self.server.client_capabilities.workspace
        watching = workspace and workspace.did_change_watched_files
        if watching and watching.dynamic_registration:
            patterns = [lsp.FileSystemWatcher(glob_pattern=pattern) for pattern in _WATCHED]
            options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers=patterns)
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registration = lsp.Registration(NAME, method, options)
            self.server.client_register_capability(lsp.RegistrationParams([registration]))

    async def shutdown(self, params: Any = None) -> None:
        """End all analyses and the worker."""
        for document in self._documents.values():
            _cancel(document)
        await self._analyst.close()

    def configure(self, params: lsp.DidChangeConfigurationParams) -> None:
        """Take new settings."""
        self._take_options(params.settings)
        self.files_changed()

    def files_changed(self, params: Any = None) -> None:
        """A study, laws or flags are new: everything open is looked at again."""
        for uri in self._documents:
            self._schedule(uri, 0.0)

    def _take_options(self, given: Any) -> None:
        section = given.get(NAME, given) if isinstance(given, dict) else None
        if not section:
            return
        try:
            self.options = msgspec.convert(section, Options)
        except msgspec.ValidationError as error:
            self._log(f"settings: {error}; see docs/editors.md")

    # -- documents
    def opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """Analyse a file that was opened."""
        uri = params.text_document.uri
        path = to_fs_path(uri) if uri.startswith("file:") else None
        if path is not None:
            self._documents[uri] = Document(Path(path))
            self._schedule(uri, 0.0)

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Analyse a text that was changed, after a moment."""
        self._schedule(params.text_document.uri, self.options.debounce)

    def saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        """Analyse a file that was saved, and those that may include it."""
        uri = params.text_document.uri
        is_header = Path(to_fs_path(uri) or "").suffix not in SUFFIXES
        for other in list(self._documents) if is_header else [uri]:
            self._schedule(other, 0.0)

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """Forget a file."""
        uri = params.text_document.uri
        document = self._documents.pop(uri, None)
        if document is not None:
            _cancel(document)
            self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def _schedule(self, uri: str, delay: float) -> None:
        document = self._documents.get(uri)
        if document is None or document.path.suffix not in SUFFIXES:
            return
        _cancel(document)
        document.task = asyncio.get_running_loop().create_task(self._analyse(uri, document, delay))

    async def _analyse(self, uri: str, document: Document, delay: float) -> None:
        await asyncio.sleep(delay)
        text = self._text(uri)
        if len(text) > _LARGEST:
            return
        edited = text if text != _on_disk(document.path) else None
        job = Job(str(document.path), edited, self._top(document.path), self.options)
        found = await self._analyst.answer(job)
        if isinstance(found, Failed):
            self._note_failure(found.reason)
            return
        self._take(document, found, text)
        self._publish(uri, document)
        for message in found.messages:
            self._log(message)
        if document.headers and any(
            d.path.suffix not in SUFFIXES for d in self._documents.values()
        ):
            self._refresh()

    def _take(self, document: Document, answer: Answer, text: str) -> None:
        own = str(document.path)
        notes = answer.files.get(own, Notes())
        document.problems = Placed(notes, text)
        if answer.compiled:
            document.good = document.problems
            document.headers = {f: n for f, n in answer.files.items() if f != own}

    def _note_failure(self, reason: str) -> None:
        """A line in the log; where it is the same as before, nothing."""
        if reason != self._failed:
            self._failed = reason
            self._log(reason)

    def _log(self, text: str) -> None:
        self.server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, text))

    def _refresh(self) -> None:
        """Ask for hints again: those of headers may be new."""
        workspace = self.server.client_capabilities.workspace
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.server.workspace_inlay_hint_refresh(None)

    def _text(self, uri: str) -> str:
        """The text of an open file; "" of one that is not, or no longer."""
        if uri not in self._documents:
            return ""
        return str(self.server.workspace.get_text_document(uri).source)

    def _top(self, path: Path) -> str | None:
        """The folder of the workspace that a file is in."""
        workspace = self.server.workspace
        known = [to_fs_path(folder.uri) for folder in workspace.folders.values()]
        tops = [t for t in (*known, workspace.root_path) if t and path.is_relative_to(t)]
        return max(tops, key=len, default=None)

    # -- what is shown
    async def inlay_hints(self, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        """The law of each loop behind its line."""
        uri = params.text_document.uri
        await self._settled(uri)
        lines = self._lines(uri)
        first, last = params.range.start.line, params.range.end.line
        return [
            lsp.InlayHint(
                position=lsp.Position(line, self._units(uri, lines[line])),
                label=hint.text,
                kind=lsp.InlayHintKind.Type,
                tooltip=_markdown(hint.more),
                padding_left=True,
            )
            for line, hint in self._placed(uri, lambda n: n.hints)
            if first <= line <= last
        ]

    async def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """The details of the loops and functions that begin on a line."""
        uri, wanted = params.text_document.uri, params.position.line
        if not self._notes(uri).hovers:
            await self._settled(uri)
        found = [h.text for line, h in self._placed(uri, lambda n: n.hovers) if line == wanted]
        text = "\n\n---\n\n".join(dict.fromkeys(found))
        return lsp.Hover(_markdown(text)) if text else None

    async def code_lens(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        """The work of each function above it."""
        uri = params.text_document.uri
        if not self.options.code_lens:
            return []
        await self._settled(uri)
        return [
            lsp.CodeLens(_range(line, 0, 0), lsp.Command(f.lens, ""))
            for line, f in self._placed(uri, lambda n: n.functions)
            if f.lens
        ]

    async def symbols(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        """Functions and the loops in them."""
        uri = params.text_document.uri
        await self._settled(uri)
        lines = self._lines(uri)
        moved = self._moved(uri)

        def symbol(name: str, detail: str, line: int, kind: lsp.SymbolKind) -> lsp.DocumentSymbol:
            where = _range(line, 0, self._units(uri, lines[line]))
            return lsp.DocumentSymbol(name, kind, where, where, detail=detail, children=[])

        found = []
        for line, f in self._placed(uri, lambda n: n.functions):
            loops = []
            for loop in f.loops:
                at = moved(loop.line)
                if at is not None and at < len(lines):
                    text = " ".join(lines[at].split())[:40]
                    loops.append(symbol(text or "loop", loop.text, at, lsp.SymbolKind.Operator))
            head = symbol(f.name, f.text, line, lsp.SymbolKind.Function)
            last = max([line, *(x.range.start.line for x in loops)])
            head.range = lsp.Range(
                head.range.start, lsp.Position(last, self._units(uri, lines[last]))
            )
            head.children = loops
            found.append(head)
        return found

    def _publish(self, uri: str, document: Document) -> None:
        lines = self._lines(uri)
        moved = _mover(document.problems.text, "\n".join(lines))
        found = []
        for problem in document.problems.notes.problems:
            line = moved(problem.line)
            if line is not None and line < len(lines):
                found.append(self._diagnostic(uri, problem, line, lines[line]))
        version = self.server.workspace.get_text_document(uri).version
        self.server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri, found, version)
        )

    def _diagnostic(self, uri: str, problem: Problem, line: int, text: str) -> lsp.Diagnostic:
        before = text.encode()[: max(problem.column - 1, 0)].decode(errors="ignore")
        start = self._units(uri, before if problem.column else _indent(text))
        end = self._units(uri, text.rstrip())
        return lsp.Diagnostic(
            range=_range(line, min(start, max(end - 1, 0)), end),
            message=problem.message,
            severity=_SEVERITY[problem.severity],
            code=problem.code,
            source=NAME,
        )

    async def _settled(self, uri: str) -> None:
        """Wait for the analysis of the present text, where one is under way."""
        while (document := self._documents.get(uri)) is not None:
            task = document.task
            if task is None or task.done():
                return
            await asyncio.wait([task])  # one that is cancelled has been replaced

    def _notes(self, uri: str) -> Notes:
        return self._placed_notes(uri).notes

    def _placed_notes(self, uri: str) -> Placed:
        """The notes of an open file; of a header, those of a file that includes it."""
        document = self._documents.get(uri)
        if document is None:
            return Placed()
        if document.path.suffix in SUFFIXES:
            return document.good
        name = str(document.path)
        for other in self._documents.values():
            if name in other.headers:
                return Placed(other.headers[name], _on_disk(document.path) or "")
        return Placed()

    def _placed(
        self, uri: str, kind: Callable[[Notes], tuple[Any, ...]]
    ) -> Iterator[tuple[int, Any]]:
        """(line from 0, note) of the notes of a kind whose lines are still there."""
        placed = self._placed_notes(uri)
        moved = self._moved(uri)
        last = len(self._lines(uri))
        for note in kind(placed.notes):
            line = moved(note.line)
            if line is not None and line < last:
                yield line, note

    def _moved(self, uri: str) -> Callable[[int], int | None]:
        return _mover(self._placed_notes(uri).text, "\n".join(self._lines(uri)))

    def _lines(self, uri: str) -> list[str]:
        return lines_of(self._text(uri))

    def _units(self, uri: str, text: str) -> int:
        """The length of a text as the client counts it."""
        codec = self.server.workspace.get_text_document(uri).position_codec
        return int(codec.client_num_units(text))


def _cancel(document: Document) -> None:
    if document.task is not None:
        document.task.cancel()


def _mover(before: str, after: str) -> Callable[[int], int | None]:
    """Line from 1 of a text -> line from 0 of another."""
    if lines_of(before) == lines_of(after):
        return lambda line: line - 1
    known = moved_lines(before, after)
    return lambda line: known[line] - 1 if line in known else None


def _on_disk(path: Path) -> str | None:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None


def _range(line: int, start: int, end: int) -> lsp.Range:
    return lsp.Range(lsp.Position(line, start), lsp.Position(line, end))


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _markdown(text: str) -> lsp.MarkupContent:
    return lsp.MarkupContent(lsp.MarkupKind.Markdown, text)


class _Server(LanguageServer):
    """A server that can end while its client is silent."""

    ending: Callable[[], None] | None = None

    def shutdown(self) -> None:
        """End what reads, for which pygls then waits."""
        if self.ending is not None:
            self.ending()
        super().shutdown()  # type: ignore[no-untyped-call]


def language_server() -> Any:
    """A server with all that it can do, not yet started."""
    server = _Server(NAME, __version__)
    editor = Editor(server)
    features: dict[str, Any] = {
        lsp.INITIALIZE: editor.initialize,
        lsp.INITIALIZED: editor.initialized,
        lsp.SHUTDOWN: editor.shutdown,
        lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: editor.configure,
        lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: editor.files_changed,
        lsp.TEXT_DOCUMENT_DID_OPEN: editor.opened,
        lsp.TEXT_DOCUMENT_DID_CHANGE: editor.changed,
        lsp.TEXT_DOCUMENT_DID_SAVE: editor.saved,
        lsp.TEXT_DOCUMENT_DID_CLOSE: editor.closed,
        lsp.TEXT_DOCUMENT_INLAY_HINT: editor.inlay_hints,
        lsp.TEXT_DOCUMENT_HOVER: editor.hover,
        lsp.TEXT_DOCUMENT_CODE_LENS: editor.code_lens,
        lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: editor.symbols,
    }
    for name, handler in features.items():
        server.feature(name)(partial(handler))  # pygls sets attributes, which methods refuse
    return server


def serve_stdio() -> None:
    """Serve the client at the other end of stdin and stdout until it goes. What else writes to
    stdout comes to stderr: the channel holds nothing but the protocol."""
    incoming, outgoing = Incoming(os.dup(0)), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    server = language_server()
    server.ending = incoming.end
    server.start_io(io.BufferedReader(incoming), outgoing)
