"""The lesson: predictions, questions and puzzles for a class that plays one deal."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from war.lesson.code_it import check_battle as check_battle
    from war.lesson.code_it import check_endless as check_endless
    from war.lesson.code_it import check_winner_of_battle as check_winner_of_battle
    from war.lesson.code_it import value as value
    from war.lesson.page import lesson as lesson

__all__ = ["check_battle", "check_endless", "check_winner_of_battle", "lesson", "value"]


def __getattr__(name: str) -> Any:
    # The worksheet and the tests of code need no widgets, which take a while to load.
    if name == "lesson":
        from war.lesson.page import lesson

        return lesson
    if name in __all__:
        import war.lesson.code_it

        return getattr(war.lesson.code_it, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
