"""The archive of an EPUB: its package file, and which of its parts are encrypted."""

from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.zip_archive import ZipArchive, entry_names, resolve

_MIMETYPE = b"mimetypeapplication/epub+zip"
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# Fonts are often obfuscated, which hides no text.
_OBFUSCATED_FONTS = frozenset(
    {"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"}
)


def is_epub(data: bytes) -> bool:
    """Return whether a zip file is an EPUB, by its first entry or by its container file."""
    return data.startswith(_MIMETYPE, 30) or _CONTAINER in entry_names(data)


class Archive(ZipArchive):
    """The parts of an EPUB by name, unpacked in memory one at a time."""

    def __init__(self, data: bytes, name: str, limits: ReadLimits) -> None:
        """Open the archive.

        Raises:
            LongsumError: As `ZipArchive`.
        """
        super().__init__(data, name, limits, "EPUB")
        self._encrypted: frozenset[str] = frozenset()
        if _ENCRYPTION in self:
            self._encrypted = self._read_encryption()

    def package(self) -> str:
        """Return the name of the package file, which lists the book's parts.

        Raises:
            LongsumError: There is none.
        """
        for element in self.xml(_CONTAINER).iter("rootfile"):
            if path := element.get("full-path"):
                return resolve("", path)
        raise self.damaged()

    def content(self, part: str) -> bytes:
        """Return the bytes of a part; see `ZipArchive.content`."""
        if part in self._encrypted:
            raise self.encrypted()
        return super().content(part)

    def _read_encryption(self) -> frozenset[str]:
        """Return the names of the parts that are encrypted."""
        found = set()
        for data in self.xml(_ENCRYPTION).iter("EncryptedData"):
            method = data.find("EncryptionMethod")
            algorithm = None if method is None else method.get("Algorithm")
            if algorithm not in _OBFUSCATED_FONTS:
                found |= {resolve("", ref.get("URI", "")) for ref in data.iter("CipherReference")}
        return frozenset(found)
