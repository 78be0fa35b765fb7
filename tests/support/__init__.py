"""Reusable parts of the tests. None of them imports kvwire, except where it says so."""
