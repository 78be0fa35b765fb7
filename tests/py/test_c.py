"""The C tests, by CMake and CTest, plain and under the sanitizers; the C files' format."""

from __future__ import annotations

import pytest

from tests.support.build import VARIANTS, built, checked

pytestmark = pytest.mark.once


@pytest.mark.patience(1500)
@pytest.mark.parametrize("variant", VARIANTS)
def test_ctest(variant: str) -> None:
    output = checked("ctest", "--output-on-failure", "--no-tests=error", cwd=built(variant))
    assert "100% tests passed" in output


@pytest.mark.patience(300)
def test_format() -> None:
    checked("cmake", "--build", built("plain"), "--target", "format-check")
