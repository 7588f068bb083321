"""What reads documents for the default system: networks by name, their plans, their inputs."""
