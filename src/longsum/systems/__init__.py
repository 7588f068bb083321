"""What a user calls: summarizers, and the way from a name to one."""

from longsum.systems.registry import load_system, save_system
from longsum.systems.summarize import summarize
from longsum.systems.summarizer import ExtractiveSummarizer, Summarizer

__all__ = ["ExtractiveSummarizer", "Summarizer", "load_system", "save_system", "summarize"]
