"""Tests of the Python library; conftest.py has the fixtures."""
