"""Interpretable attention: timestep-independent semantic kernels (MLS, §2.2)."""
