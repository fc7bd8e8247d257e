"""The pictures of the cards, drawn by this project: small SVG, suits as paths so that no font changes them."""

from __future__ import annotations

from functools import lru_cache

from war.cards import Card

WIDTH, HEIGHT = 100, 140

INK, PAPER, EDGE, GOLD, SKIN, HAIR = (
    "#1a1d21",
    "#fffdf8",
    "#8f8878",
    "#e2a72e",
    "#f4dcc0",
    "#5b3a1e",
)
FIELD, LATTICE, RING = "#274a7d", "#7f9fd2", "#c9d7ee"
# Dark enough for text on the paper of the card: at least 7:1, which pure red is not.
COLOURS = {"C": INK, "D": "#b3001b", "H": "#b3001b", "S": INK}
FOUR_COLOURS = COLOURS | {"C": "#0b5d2e", "D": "#0a4a9c"}

_BLACK, _GREY, _WHITE = "#000", "#888", "#fff"
_PRINTED = dict.fromkeys((INK, COLOURS["D"], EDGE, HAIR, RING), _BLACK) | {
    **dict.fromkeys((PAPER, GOLD, SKIN, FIELD), _WHITE),
    LATTICE: _GREY,
}

SUIT_PATHS = {
    "C": (
        "M50 5A20 20 0 0 1 67 36 21 21 0 1 1 56 68C57 80 61 89 70 95H30C39 89 43 80 44 68A21 21 0 1 1"
        " 33 36 20 20 0 0 1 50 5Z"
    ),
    "D": "M50 4C60 22 72 37 86 50 72 63 60 78 50 96 40 78 28 63 14 50 28 37 40 22 50 4Z",
    "H": "M50 94C42 76 8 58 8 31 8 8 38 4 50 27 62 4 92 8 92 31 92 58 58 76 50 94Z",
    "S": (
        "M50 5C58 25 90 42 90 65 90 84 68 88 56 73 57 83 62 90 70 95H30C38 90 43 83 44 73 32 88 10 84"
        " 10 65 10 42 42 25 50 5Z"
    ),
}

_LEFT, _MIDDLE, _RIGHT = 37, 50, 63
# Where the pips of a number card lie: columns and rows as on any printed deck.
PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "2": ((_MIDDLE, 34), (_MIDDLE, 106)),
    "3": ((_MIDDLE, 34), (_MIDDLE, 70), (_MIDDLE, 106)),
}
_FOUR = tuple((x, y) for x in (_LEFT, _RIGHT) for y in (34, 106))
_SIX = (*_FOUR, (_LEFT, 70), (_RIGHT, 70))
_EIGHT = tuple((x, y) for x in (_LEFT, _RIGHT) for y in (30, 57, 83, 110))
PIPS |= {
    "4": _FOUR,
    "5": (*_FOUR, (_MIDDLE, 70)),
    "6": _SIX,
    "7": (*_SIX, (_MIDDLE, 52)),
    "8": (*_SIX, (_MIDDLE, 52), (_MIDDLE, 88)),
    "9": (*_EIGHT, (_MIDDLE, 70)),
    "10": (*_EIGHT, (_MIDDLE, 43.5), (_MIDDLE, 96.5)),
}


@lru_cache(maxsize=1024)
def card_svg(card: Card, four_colours: bool = False, pips: bool = False) -> str:
    """The face of a card as an SVG picture, 100 by 140 units; its name is for the page to say.

    >>> from war.cards import card
    >>> card_svg(card("10H")).startswith('<svg viewBox="0 0 100 140"')
    True
    """
    colour = (FOUR_COLOURS if four_colours else COLOURS)[card.suit]
    if card.rank in ("J", "Q", "K"):
        middle = f'<g transform="translate(6 19) scale(0.82)">{_court(card, colour)}</g>'
    elif pips and card.rank in PIPS:
        middle = "".join(_suit(card.suit, x, y, 16, colour) for x, y in PIPS[card.rank])
    else:
        middle = _suit(card.suit, 48, 80, 56 if card.rank == "A" else 50, colour)
    # Pips need the room; a pupil who counts them needs the index less.
    index = _index(card, colour, 22 if pips else 32)
    return _picture(f'{index}<g transform="rotate(180 50 70)">{index}</g>{middle}')


@lru_cache(maxsize=1)
def back_svg() -> str:
    """The back that all cards share, as an SVG picture.

    >>> "<text" in back_svg()
    False
    """
    lattice = "".join(f"M{x} 9 {x + 122} 131M{x + 122} 9 {x} 131" for x in range(-118, 97, 12))
    return _picture(
        f'<rect x="7" y="7" width="86" height="126" rx="6" fill="{FIELD}"/>'
        '<svg x="9" y="9" width="82" height="122" viewBox="9 9 82 122">'
        f'<path d="{lattice}" stroke="{LATTICE}" stroke-width="1.6" fill="none"/></svg>'
        f'<circle cx="50" cy="70" r="17" fill="{FIELD}" stroke="{RING}" stroke-width="2"/>'
        f'<path d="M50 58 62 70 50 82 38 70Z" fill="{GOLD}"/>'
    )


def black_and_white(picture: str) -> str:
    """A card's picture or the back for paper: readable after copying, and sparing with ink.

    >>> from war.cards import card
    >>> PAPER in black_and_white(card_svg(card("KD"))), PAPER in card_svg(card("KD"))
    (False, True)
    """
    for colour, printed in _PRINTED.items():
        picture = picture.replace(colour, printed)
    return picture


def _picture(inside: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" xmlns="http://www.w3.org/2000/svg" aria-hidden="true">'
        f'<rect x="1" y="1" width="98" height="138" rx="9" fill="{PAPER}" stroke="{EDGE}"/>'
        f"{inside}</svg>"
    )


def _suit(suit: str, x: float, y: float, size: float, colour: str) -> str:
    scale = size / 100
    return (
        f'<path transform="translate({x - size / 2:g} {y - size / 2:g}) scale({scale:g})"'
        f' d="{SUIT_PATHS[suit]}" fill="{colour}"/>'
    )


def _index(card: Card, colour: str, size: int) -> str:
    narrow = f' textLength="{size * 0.88:g}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<text x="7" y="{size}" font-family="Georgia,\'Times New Roman\',serif" font-size="{size}"'
        f' font-weight="700" fill="{colour}"{narrow if len(card.rank) > 1 else ""}>{card.rank}</text>'
        + _suit(card.suit, 7 + size * 0.31, size * 1.44, size * 0.56, colour)
    )


def _court(card: Card, colour: str) -> str:
    """A face, a robe in the colour of the suit, and what tells king, queen and jack apart."""
    robe = (
        f'<path d="M24 126C25 103 36 95 50 95S75 103 76 126Z" fill="{colour}"/>'
        f'<path d="M39 96 50 109 61 96" fill="none" stroke="{GOLD}" stroke-width="4"/>'
        + _suit(card.suit, 50, 117, 15, PAPER)
    )
    face = (
        f'<ellipse cx="50" cy="76" rx="14" ry="17" fill="{SKIN}" stroke="{INK}" stroke-width="1.4"/>'
        f'<circle cx="45" cy="74" r="1.6" fill="{INK}"/><circle cx="55" cy="74" r="1.6" fill="{INK}"/>'
        f'<path d="M46 84q4 3 8 0" fill="none" stroke="{INK}" stroke-width="1.6"/>'
    )
    gold = f'fill="{GOLD}" stroke="{INK}" stroke-width="1.4" stroke-linejoin="round"'
    if card.rank == "K":
        return (
            f"{robe}{face}"
            f'<path d="M36 76C35 104 65 104 64 76 61 88 56 81 50 81S39 88 36 76Z" fill="{HAIR}"/>'
            f'<path d="M46 86q4 2.500 8 0" stroke="{SKIN}" stroke-width="1.800" fill="none"/>'
            f'<path d="M34 62 32 40 42 50 50 35 58 50 68 40 66 62Z" {gold}/>'
        )
    if card.rank == "Q":
        return (
            f'<path d="M50 54C28 54 32 84 29 104H71C68 84 72 54 50 54Z" fill="{HAIR}"/>{robe}{face}'
            f'<path d="M35 62C36 52 34 49 33 44L43 51 50 40 57 51 67 44C66 49 64 52 65 62Z" {gold}/>'
            + "".join(
                f'<circle cx="{x}" cy="{y}" r="3" {gold}/>'
                for x, y in ((33, 42), (50, 38), (67, 42))
            )
        )
    return (
        f'<path d="M34 66H66V92C60 95 62 84 62 74H38C38 84 40 95 34 92Z" fill="{HAIR}"/>{robe}{face}'
        f'<path d="M32 67C30 48 40 44 52 44S70 50 68 67C58 61 42 61 32 67Z" fill="{colour}"/>'
        f'<path d="M58 50C60 36 72 32 80 36 76 40 78 46 68 52Z" {gold}/>'
    )
