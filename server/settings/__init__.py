"""Settings, and the paths of files and folders."""
