"""The table from Python's side: its state, its buttons, its answers, its pictures and addresses."""

import csv
import json
import re
from dataclasses import asdict
from itertools import combinations, pairwise
from typing import Any
from xml.etree import ElementTree

import ipywidgets
import pytest
from hypothesis import example as example_of
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import Start, codes, rules, starts
from war import CLASSIC, VARIANTS, Game, Kind
from war.board import PlayingTable, board_state, example, play
from war.board.address import from_query, to_query
from war.board.art import COLOURS, FOUR_COLOURS, PAPER, back_svg, card_svg
from war.board.settings import LONGEST_NAME, SPEEDS, Settings, settings_of
from war.board.still import still_svg
from war.cards import RANKS, SUITS
from war.describe import counts_by_battle, of_outcome
from war.rules import Won

WAR_AT_ONCE = 106
LARGEST_CODE = 2**63 - 1


def press(table: PlayingTable, label: str) -> None:
    """Press a button as the browser does."""
    if table.board.main:
        next(each for each in table.children[1].children if each.description == label).click()
    else:
        names = {text: name for name, text in table.board.buttons.items()}
        table.answer({"ask": "press", "button": names[label]})


def labels(table: PlayingTable) -> list[str]:
    if table.board.main:
        return [each.description for each in table.children[1].children]
    return [*table.board.buttons.values()]


def sent(table: PlayingTable, monkeypatch: pytest.MonkeyPatch, **message: object) -> dict[str, Any]:
    """What the board gets back for a message."""
    answers: list[dict[str, Any]] = []
    monkeypatch.setattr(table.board, "send", answers.append)
    table.answer(message)
    (answer,) = answers
    return answer


# --- the state ---------------------------------------------------------------------------------


@given(starts(), st.data())
def test_the_state_is_the_moment_of_the_game(start: Start, data: st.DataObject) -> None:
    game = Game(**start).play(5)
    game.seek(data.draw(st.integers(0, game.at)))
    state = board_state(game)
    stacks, won, stake = game.position
    assert json.loads(json.dumps(state))["battle"] == game.battles
    assert [seat["count"] for seat in state["seats"]] == [*game.counts]
    assert [seat["stack"] for seat in state["seats"]] == [*map(len, stacks)]
    aside = game.rules.won is Won.ASIDE
    assert [seat["won"] for seat in state["seats"]] == [
        len(pile) if aside else None for pile in won
    ]
    if stake:
        assert state["stake"].startswith(f"{len(stake)} card")
    assert state["over"] == of_outcome(game)


@given(starts(), st.data())
def test_the_state_tells_only_what_lies_face_up(start: Start, data: st.DataObject) -> None:
    game = Game(**start).play(5)
    game.seek(data.draw(st.integers(0, game.at)))
    up = {
        card for event in game.events if event.kind in (Kind.TURN, Kind.UP) for card in event.cards
    }
    seen = json.dumps(board_state(game))
    for card in set(game.rules.deck) - up:
        assert card.name not in seen
        assert not re.search(rf"(?<!\w){card}(?!\w)", seen)
        assert json.dumps(card_svg(card))[1:-1] not in seen


def test_hidden_cards_are_shown_as_such_and_counted() -> None:
    seats = board_state(Game(code=WAR_AT_ONCE).play(1))["seats"]
    names = [[card["name"] for card in seat["cards"]] for seat in seats]
    assert names == [
        ["queen of diamonds", "face-down card", "four of hearts"],
        ["queen of clubs", "face-down card", "three of diamonds"],
    ]
    assert [["svg" in card for card in seat["cards"]] for seat in seats] == [
        [True, False, True]
    ] * 2


def test_open_stacks_show_every_card_in_order() -> None:
    game = Game(code=7)
    for seat, shown in enumerate(board_state(game, Settings(open_stacks=True))["seats"]):
        assert [card["name"] for card in shown["order"]] == [
            card.name for card in game.position.stacks[seat]
        ]
    assert [seat["order"] for seat in board_state(game)["seats"]] == [None, None]


def test_a_code_travels_as_text() -> None:
    # JavaScript loses the digits of numbers above 2^53.
    assert board_state(Game(code=LARGEST_CODE))["code"] == str(LARGEST_CODE)
    assert not [
        value for value in board_state(Game(code=LARGEST_CODE)).values() if value == LARGEST_CODE
    ]


# --- the buttons -------------------------------------------------------------------------------


def test_the_buttons_have_the_names_that_everybody_knows() -> None:
    assert {"Turn cards", "Play 10 battles", "New round"} <= {*labels(play())}
    assert not {*labels(play())} & {*labels(example("KS | QS"))}


def test_turn_cards_plays_one_battle() -> None:
    table = play(deal=2024)
    press(table, "Turn cards")
    assert table.game.events == Game(code=2024).play(1).events
    assert table.board.state | board_state(table.game) == table.board.state


def test_turn_cards_finishes_a_battle_that_has_begun() -> None:
    table = play(deal=WAR_AT_ONCE)
    press(table, "Step")
    press(table, "Step")
    assert table.game.mid_battle
    press(table, "Turn cards")
    assert table.game.events == Game(code=WAR_AT_ONCE).play(1).events


def test_play_10_stops_at_the_end_and_says_how_many() -> None:
    table = PlayingTable(Game(piles=["KS QS", "3H 2H"]))
    press(table, "Play 10 battles")
    assert table.game.battles == 2
    assert table.board.state["spoken"].startswith("Battles 1 to 2: you won 2, computer 0, no wars.")


@pytest.mark.parametrize("label", ["Turn cards", "Play 10 battles", "Step", "Play to the end"])
def test_after_the_end_nothing_plays_and_the_table_says_why(label: str) -> None:
    table = PlayingTable(Game(piles=["KS", "QS"]).play())
    events = table.game.events
    press(table, label)
    assert table.game.events == events
    assert "new round" in table.board.state["spoken"]
    assert of_outcome(table.game) in table.board.state["spoken"]


def test_new_round_deals_again_by_the_same_rules() -> None:
    table = play("house", 2024)
    press(table, "Play 10 battles")
    press(table, "New round")
    assert (table.game.rules, table.game.battles) == (VARIANTS["house"], 0)
    assert 0 <= table.game.code <= 999_999
    assert table.game.code != 2024


def test_back_goes_to_the_start_of_a_battle_or_one_battle_back() -> None:
    table = play(deal=WAR_AT_ONCE)
    press(table, "Turn cards")
    press(table, "Step")
    press(table, "Back")
    assert table.game.events == Game(code=WAR_AT_ONCE).play(1).events
    press(table, "Back")
    assert table.game.events == ()
    press(table, "Back")
    assert table.game.events == ()


@given(
    st.lists(
        st.sampled_from(["New round", "Turn cards", "Step", "Back", "Play 10 battles", "again"]),
        min_size=10,
        max_size=40,
    )
)
def test_nothing_is_said_twice_in_a_row(presses: list[str]) -> None:
    table = PlayingTable(Game(piles=["9S KS QS", "9H 3H 2H"]))
    said = [table.board.state["spoken"]]
    for label in presses:
        if label == "again":
            table.answer({"ask": "again"})
        else:
            press(table, label)
        said.append(table.board.state["spoken"])
    assert all(said)
    assert not [one for one, other in pairwise(said) if one == other]


@given(starts(), st.data())
def test_the_chart_has_the_counts_after_each_battle(start: Start, data: st.DataObject) -> None:
    table = PlayingTable(game := Game(**start))
    for label in data.draw(st.lists(st.sampled_from(["Turn cards", "Step", "Back"]), max_size=9)):
        press(table, label)
        counts = table.board.counts
        assert len(counts) == game.battles - game.mid_battle + 1
        assert counts == counts_by_battle(game, len(counts) - 1)
        if not game.mid_battle:
            assert counts[-1] == game.counts


def test_a_small_table_plays_by_its_own_buttons() -> None:
    table, game = example("9H 2C KS | 9D 3C 7S"), Game(piles=["9H 2C KS", "9D 3C 7S"])
    press(table, "Next")
    assert table.game.events == game.seek(1).events
    press(table, "Next battle")
    assert table.game.events == game.play().events
    press(table, "Undo")
    assert table.game.events == game.step_back().events
    table.answer({"ask": "settings", "settings": {"speed": "at once"}})
    press(table, "Finish")
    assert table.game.events == game.play().events


def test_what_goes_wrong_is_said_on_the_board(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the cards are wet")

    table = play(deal=1)
    monkeypatch.setattr(table.game, "play", fail)
    press(table, "Turn cards")
    assert "the cards are wet" in table.board.notice
    monkeypatch.undo()
    press(table, "Turn cards")
    assert table.board.notice == ""
    assert table.game.battles == 1


def test_two_tables_share_nothing() -> None:
    one, other = play(deal=5), play(deal=5)
    press(one, "Turn cards")
    assert (one.game.battles, other.game.battles) == (1, 0)
    assert other.board.state["battle"] == 0


def model_of(reference: str) -> dict[str, Any]:
    """The state of the model that a page finds by this reference."""
    states = ipywidgets.Widget.get_manager_state()["state"]
    state: dict[str, Any] = states[reference.removeprefix("anywidget:")]["state"]
    return state


def test_a_page_of_many_tables_gets_what_draws_them_once() -> None:
    tables = [play(deal=5), *(example("9H 2C | 9D 3C") for _ in range(3))]
    (drawing,) = {table.board.drawing for table in tables}
    shared = model_of(drawing)
    assert "function render(" in shared["script"]
    assert ".war-table" in shared["style"]
    for table in tables:
        assert len(json.dumps(table.board.get_state())) < 5_000


def test_tables_are_drawn_after_all_widgets_were_closed() -> None:
    first = play(deal=5).board.drawing
    ipywidgets.Widget.close_all()
    again = play(deal=5).board.drawing
    assert again != first
    assert model_of(again)["script"]


# --- what the board asks for -------------------------------------------------------------------


def test_a_deal_is_asked_for_by_code_and_rules() -> None:
    table = play()
    table.answer({"ask": "deal", "code": "2024", "rules": "three-players"})
    assert table.game.start == Game("three-players", 2024).start
    table.answer({"ask": "deal", "code": "", "rules": ""})
    assert table.game.rules == VARIANTS["three-players"]


def test_the_slider_goes_only_where_the_game_has_been() -> None:
    table = play(deal=3)
    press(table, "Play 10 battles")
    for asked, shown in ((4, 4), (10, 10), (11, 10), (0, 0), (-1, 0)):
        table.answer({"ask": "go", "battle": asked})
        assert table.game.battles == shown
        assert table.board.state["played"] == 10


def test_a_saved_game_opens_at_the_same_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    table = play("house", 11)
    press(table, "Play 10 battles")
    press(table, "Step")
    file = sent(table, monkeypatch, ask="save", form="json")
    other = play()
    other.answer({"ask": "open", "text": file["text"]})
    assert other.game.events == table.game.events
    assert board_state(other.game) == board_state(table.game)


def test_the_history_agrees_with_the_chart_and_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    table = play(deal=WAR_AT_ONCE)
    press(table, "Play 10 battles")
    rows = sent(table, monkeypatch, ask="history", after=0)["rows"]
    assert [row[-2:] for row in rows] == [[*counts] for counts in table.board.counts[1:]]
    assert rows[0][1:3] == ["QD (8H) 4H", "QC (5D) 3D"]
    later = sent(table, monkeypatch, ask="history", after=4)["rows"]
    assert later == rows[4:]
    file = sent(table, monkeypatch, ask="save", form="csv")["text"]
    assert [line[:3] for line in csv.reader(file.splitlines())][1:] == [
        [str(row[0]), *row[1:3]] for row in rows
    ]


def test_a_link_leads_to_the_moment_and_has_its_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    table = play(deal=9)
    press(table, "Turn cards")
    answer = sent(table, monkeypatch, ask="link", page="http://127.0.0.1/play")
    page, query = answer["address"].split("?")
    again = from_query(query)
    assert page == "http://127.0.0.1/play"
    assert again is not None
    assert again.events == table.game.events
    assert ElementTree.fromstring(answer["picture"]).tag.endswith("svg")


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        {},
        {"ask": "everything"},
        {"ask": "deal", "code": "<script>alert(1)</script>"},
        {"ask": "deal", "code": "1", "rules": "nonsense"},
        {"ask": "deal", "code": "1", "rules": {"cap": 10_001}},
        {"ask": "deal", "code": "1", "rules": {"tie": "split", "cap": None}},
        {"ask": "press", "button": "war-turn"},
        {"ask": "press", "button": []},
        {"ask": "go", "battle": "3"},
        {"ask": "go", "battle": True},
        {"ask": "open", "text": None},
        {"ask": "open", "text": "{"},
        {"ask": "open", "text": "no game"},
        {"ask": "save", "form": "pdf"},
        {"ask": "history", "after": -1},
        {"ask": "link", "page": "javascript:alert(1)"},
        {"ask": "hello", "query": "?deal=99999999999999999999999", "settings": {}},
    ],
    ids=str,
)
def test_a_wild_message_changes_nothing(message: object) -> None:
    table = play(deal=1)
    press(table, "Turn cards")
    state = table.board.state
    with pytest.raises(ValueError, match=r"\w"):
        table.answer(message)
    assert table.board.state == state
    # Who has sent it is told in our words, and not of a fault in the code.
    table._guarded(table.answer, message)
    assert table.board.notice.startswith("That does not work: ")


# --- settings and addresses --------------------------------------------------------------------

anything = st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from([*SPEEDS])
anything |= st.lists(anything) | st.dictionaries(st.text(), anything)
fields = Settings.__dataclass_fields__


@given(anything | st.fixed_dictionaries({}, optional=dict.fromkeys(fields, anything)))
@example_of({"speed": []})
def test_settings_are_made_of_anything(kept: object) -> None:
    settings = settings_of(kept)
    assert settings.speed in SPEEDS
    assert all(isinstance(name, str) and len(name) <= LONGEST_NAME for name in settings.names)
    assert settings_of(json.loads(json.dumps(asdict(settings)))) == settings


@st.composite
def full_games(draw: st.DrawFn) -> Game:
    """Games by any rules with the full deck: dealt, or laid out by hand with some cards set aside."""
    drawn = draw(rules())
    down = drawn.down if isinstance(drawn.down, int) else 2
    full = drawn.change(ranks=RANKS, suits=SUITS, down=down, cap=drawn.cap or 40)
    game = Game(full, draw(codes()))
    if draw(st.booleans()):
        return game
    cut = draw(st.integers(1, 6))
    won = [stack[cut:9] for stack in game.start.stacks] if full.won is Won.ASIDE else None
    return Game(full, game.code, [stack[:cut] for stack in game.start.stacks], won)


@given(full_games(), st.integers(0, 30))
def test_an_address_leads_back_to_the_same_moment(game: Game, battles: int) -> None:
    again = from_query(to_query(game.play(battles)))
    assert again is not None
    assert (again.rules, again.start, again.events) == (game.rules, game.start, game.events)


@given(codes(), st.sampled_from([*VARIANTS]))
def test_the_address_of_a_deal_names_it(code: int, rules: str) -> None:
    assert to_query(Game(rules, code)) == f"deal={code}&rules={rules}&battle=0"


@pytest.mark.parametrize("query", ["", "?", "?utm_source=letter", "?battle=3", "#deal=1"])
def test_an_address_may_name_no_game(query: str) -> None:
    assert from_query(query) is None


@pytest.mark.parametrize(
    "query",
    [
        "?deal=<script>alert(1)</script>",
        "?deal=99999999999999999999999",
        "?deal=-1",
        "?deal=",
        "?rules=nonsense",
        "?deal=1&battle=x",
        "?deal=1&cap=1000000",
        "?deal=1&players=9",
        "?deal=1&hand=nonsense",
        "?deal=1" + "&x=" + "9" * 4000,
        "?deal=1" + "&x=1" * 50,
    ],
    ids=lambda query: query[:30],
)
def test_a_wild_address_is_refused_and_the_table_plays(
    query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUERY_STRING", query.removeprefix("?"))
    table = play(deal=7)
    assert table.board.notice.startswith("That does not work: ")
    press(table, "Turn cards")
    assert table.game.events == Game(code=7).play(1).events


def test_an_address_goes_before_what_the_cell_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERY_STRING", "deal=2024&rules=house&battle=3")
    table = play("classic", 7)
    assert table.game.events == Game("house", 2024).play(3).events
    assert table.board.notice == ""


# --- the pictures ------------------------------------------------------------------------------


@pytest.mark.parametrize("four_colours", [False, True])
@pytest.mark.parametrize("pips", [False, True])
def test_every_card_has_a_picture_of_its_own(four_colours: bool, pips: bool) -> None:
    pictures = {card: card_svg(card, four_colours, pips) for card in CLASSIC.deck}
    assert len({*pictures.values()}) == 52
    for card, picture in pictures.items():
        root = ElementTree.fromstring(picture)
        assert {node.text for node in root.iter() if node.tag.endswith("}text")} == {card.rank}
        # Nothing is asked for from elsewhere, and nothing runs.
        assert not re.search(r"href|url\(|<script|<image|\son\w+=", picture)


def test_the_back_tells_nothing() -> None:
    root = ElementTree.fromstring(back_svg())
    assert not [node for node in root.iter() if node.text]


@pytest.mark.parametrize("colour", sorted({*COLOURS.values(), *FOUR_COLOURS.values()}))
def test_a_card_can_be_read(colour: str) -> None:
    assert contrast(colour, PAPER) >= 7


def test_four_colours_are_four() -> None:
    assert all(one != other for one, other in combinations(FOUR_COLOURS.values(), 2))


def contrast(one: str, other: str) -> float:
    """How much two colours differ in light, as WCAG 2.2 reckons."""
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_without_a_kernel_a_still_picture_is_there() -> None:
    bundle = play(deal=WAR_AT_ONCE)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert re.search(r'<img alt="The table of War[^"]+ 26 cards', bundle["text/html"])


def test_a_still_picture_tells_no_hidden_card() -> None:
    game = Game(code=WAR_AT_ONCE).play(1)
    still = still_svg(game)
    _, down, up, _ = game.present
    # Each picture is placed by attributes of its first tag.
    drawn = {card: card_svg(card).partition(">")[2] in still for card in (*up.cards, *down.cards)}
    assert drawn == {**dict.fromkeys(up.cards, True), **dict.fromkeys(down.cards, False)}
