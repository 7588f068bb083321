"""The Pointer-Magnifier: any length from a prototype (MLS, §2.2)."""
