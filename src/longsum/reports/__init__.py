"""Reports: a summary as one page that a reader opens in a browser."""

from longsum.reports.summary_page import render_html

__all__ = ["render_html"]
