"""What a user calls: summarizers, and the way from a name to one."""

from longsum.systems.extractive.summarizer import ExtractiveSummarizer, Summarizer
from longsum.systems.loading import load_system, save_system
from longsum.systems.summarize import summarize

__all__ = ["ExtractiveSummarizer", "Summarizer", "load_system", "save_system", "summarize"]
