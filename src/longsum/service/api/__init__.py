"""The service over HTTP: its routes, the guard before them, and the server."""
