"""The command line: the only layer that reads arguments and files, prints, and exits."""
