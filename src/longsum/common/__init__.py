"""What every part uses: errors, files, names, threads, the registry."""
