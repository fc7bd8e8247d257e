"""Take every screenshot again, in Voilà, into docs/shots: `make shots`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

from tests.servers import CHROMIUM_FLAGS, app_page, find_chromium, running, war_app

SHOTS = Path(__file__).parents[1] / "docs" / "shots"


class Shot(NamedTuple):
    """A picture to take: which moment of which game, on which screen, with which settings kept."""

    name: str
    query: str
    width: int
    height: int
    dark: bool = False
    settings: str = "{}"


ALL = (
    Shot("first-view", "deal=2024", 1280, 800),
    Shot("kings-war", "deal=18&rules=house&battle=6", 1280, 800),
    Shot("four-players", "deal=5&rules=four-players&battle=9", 1280, 800),
    Shot("battle-500", "deal=1&battle=500", 1280, 900),
    Shot("end-of-a-round", "deal=2024&battle=107", 1280, 900),
    Shot("dark", "deal=2024&battle=26", 1280, 800, dark=True),
    Shot("phone", "deal=2024&battle=26", 320, 780),
    Shot("tablet", "deal=2024&battle=26", 768, 1024),
    Shot("projector", "deal=2024&battle=26", 1920, 1080, settings='{"large": true}'),
)


def take(browser: Browser, address: str, shot: Shot) -> None:
    """Take one picture."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.dark else "light",
    )
    context.add_init_script(f"localStorage.setItem('war-settings', '{shot.settings}')")
    page = context.new_page()
    page.goto(f"{app_page(address)}?{shot.query}", timeout=60_000)
    page.get_by_role("button", name="Turn cards").wait_for(timeout=60_000)
    page.locator("#loading").wait_for(state="detached", timeout=60_000)
    # Cards that have just been laid are still on their way.
    page.wait_for_timeout(600)
    page.screenshot(path=SHOTS / f"{shot.name}.png")
    context.close()


if __name__ == "__main__":
    SHOTS.mkdir(parents=True, exist_ok=True)
    with running(war_app()) as server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_FLAGS)
        )
        for each in ALL:
            print(each.name)
            take(chromium, server.address, each)
