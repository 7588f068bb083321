"""Documents: text with sections and sentences, and the readers that make them from files."""

from longsum.documents.builder import DocumentBuilder
from longsum.documents.model import Document, Evidence, Paragraph, Section, Sentence, Source
from longsum.documents.tree import DocumentTree

__all__ = [
    "Document",
    "DocumentBuilder",
    "DocumentTree",
    "Evidence",
    "Paragraph",
    "Section",
    "Sentence",
    "Source",
]
