"""Which tests of the rivals are slow: real data, and what takes seconds to show."""

import pytest

SLOW = {
    "test_adult_as_good_as_the_exact_threshold",
    "test_adult_is_solved",
    "test_all_takes_what_applies",
    "test_macro_f_rises_to_a_stationary_point",
    "test_many_rows_take_seconds",
    "test_offsets_are_thresholds",
    "test_published_macro_f",
    "test_random_choice_has_the_frequencies",
    "test_real_labels",
    "test_scutfbr_protects_rare_labels",
    "test_yeast",
    "test_yeast_gains_from_the_path",
    "test_yeast_gains_over_natural_thresholds",
}
LONGEST = ("test_no_prediction_has_a_larger_expected_f", 7)  # rows of the longest enumeration


def pytest_collection_modifyitems(items):
    """Mark them here, also by the size of a parametrised case."""
    for item in items:
        name = getattr(item, "originalname", None)
        size = item.callspec.params.get("n") if hasattr(item, "callspec") else None
        if name in SLOW or (name, size) == LONGEST:
            item.add_marker(pytest.mark.slow)
