"""Reports: self-contained HTML pages, and plots."""

from longsum.core.pages.summary_pane import render_html

__all__ = ["render_html"]
