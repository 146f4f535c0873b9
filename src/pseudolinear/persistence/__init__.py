"""Models as files: saved and loaded without executing code, and exported."""
