"""What the section tree and distances add to attention scores."""
