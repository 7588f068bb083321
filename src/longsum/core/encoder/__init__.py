"""Document encoding for the default system: networks, their plans and their inputs."""
