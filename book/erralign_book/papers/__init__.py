"""Result tables: computed from the raw data where they are, read from ``data/frozen`` elsewhere."""
