"""Global–local attention, as a definition and as a fast execution."""
