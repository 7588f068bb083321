"""Planners of reports about tables that learned from plans."""
