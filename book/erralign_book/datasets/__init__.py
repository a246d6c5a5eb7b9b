"""Readers of public data that only chapters use."""
