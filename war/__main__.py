"""`python -m war` is the command `war`."""

from war.cli import main

main(prog_name="war")
