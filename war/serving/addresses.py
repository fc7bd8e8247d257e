"""Where a server is found: in this machine's browser, and from the other ones in the room."""

import re
import socket

import psutil

EVERYWHERE = ("", "0.0.0.0", "::")


def with_slashes(base_url: str) -> str:
    """Return a path that begins and ends with one slash.

    >>> with_slashes("user/ada"), with_slashes("/")
    ('/user/ada/', '/')
    """
    return re.sub(r"/+", "/", f"/{base_url}/")


def address(host: str, port: int, path: str) -> str:
    """Return a web address.

    >>> address("::1", 8866, "/lesson")
    'http://[::1]:8866/lesson'
    """
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{path}"


def here(host: str) -> str:
    """Return how this machine itself reaches a server that listens on a host."""
    return "127.0.0.1" if host in EVERYWHERE else host


def there(host: str) -> str:
    """Return how other machines reach a server that listens on a host, by number.

    A tablet rarely knows the name of a teacher's laptop, but always the way to its number.
    """
    if host not in EVERYWHERE:
        return host
    # A datagram's socket only looks up the way it would go; nothing is sent. The number is one
    # that is kept for examples (RFC 5737), so that the way is the one to everywhere.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return _first_number() or socket.gethostname()


def _first_number() -> str:
    """The first number of this machine in a network that leads nowhere else."""
    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    return next(
        (
            each.address
            for name, numbers in psutil.net_if_addrs().items()
            for each in numbers
            if name in up and each.family == socket.AF_INET and not each.address.startswith("127.")
        ),
        "",
    )
