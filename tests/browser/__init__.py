"""What a person does at the table, done in a real browser."""

import pytest

# The helpers assert too, and should tell as much as the tests when they fail.
pytest.register_assert_rewrite("tests.browser.table")
