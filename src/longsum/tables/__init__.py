"""Tables, plans of what to say about them, and reports that say it."""

from longsum.tables.plan import Plan
from longsum.tables.table import Entity, Record, RecordType, Table, make_table

__all__ = ["Entity", "Plan", "Record", "RecordType", "Table", "make_table"]
