"""`python -m cgraph` is `cgraph`."""

from cgraph.cli.main import cli

cli()
