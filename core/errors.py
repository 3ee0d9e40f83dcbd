"""The errors a user can meet; each message names the file, setting or query and the way out."""


class ChunkscopeError(Exception):
    """Bad input or usage; the message is shown as it is, without a traceback."""


class Cancelled(Exception):
    """Long work was told to stop; nothing is wrong."""


class SourceError(ChunkscopeError):
    """A file that cannot be read; the message names it and says why."""


class NothingFoundError(SourceError):
    """A folder that gives no document; the message names it."""


class CustomError(SourceError):
    """A function of the user's that does not cut a document as it must; the message names both."""


class SettingsError(ChunkscopeError, ValueError):
    """A setting that cannot work; the message names the setting."""


class UnknownIdError(ChunkscopeError, KeyError):
    """An id that names nothing, or several things; `candidates` are offered instead."""

    def __init__(self, message: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.candidates = candidates

    def __str__(self) -> str:
        return self.message


class GoldError(ChunkscopeError):
    """A file of gold queries that cannot be read or written; the message names it and the line."""


class LibraryError(ChunkscopeError):
    """A library folder that cannot be opened, read or written."""


class DamagedLibraryError(LibraryError):
    """A record that is not as it was written."""
