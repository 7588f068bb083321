"""Reports: self-contained HTML pages, and plots."""

from longsum.core.pages.summary_page import render_html

__all__ = ["render_html"]
