"""The service over HTTP: its addresses, what stands before them, and the server."""
