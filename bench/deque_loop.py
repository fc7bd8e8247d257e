"""The plainest loop that plays `classic` on whole numbers; it knows nothing of the engine."""

from collections import deque


def play(first, second, cap=500):
    """Battles, wars, and 1 or -1 for the player who wins or 0 for a draw; piles are top first."""
    one, two, battles, wars = deque(first), deque(second), 0, 0
    while one and two and battles < cap:
        battles += 1
        mine, yours = [one.popleft()], [two.popleft()]
        while mine[-1] == yours[-1]:
            wars += 1
            if len(one) < 2 or len(two) < 2:
                return battles, wars, (len(one) > len(two)) - (len(one) < len(two))
            mine += one.popleft(), one.popleft()
            yours += two.popleft(), two.popleft()
        if mine[-1] > yours[-1]:
            one.extend(mine + yours)
        else:
            two.extend(yours + mine)
    return battles, wars, bool(one) - bool(two)
