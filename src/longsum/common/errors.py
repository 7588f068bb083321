"""The exceptions that a user can cause."""


class LongsumError(Exception):
    """An error that the user can fix.

    The message is one sentence that says what is wrong and what to do. The command line prints it
    and exits with status 2; a library caller catches this class and nothing else.
    """


class UnwritableError(LongsumError):
    """A result cannot be written, such as on a full disk; the command line exits with status 1."""
