from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "data" / "sent_tables"
FILES = {path.name: path.read_bytes() for path in sorted(_FOLDER.glob("*.csv"))}
