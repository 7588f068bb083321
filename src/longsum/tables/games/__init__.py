"""Basketball games: their tables, plans, reports and rules (RotoWire)."""
