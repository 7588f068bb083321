"""Plain text, Markdown, AsciiDoc, e-mail and subtitles."""
