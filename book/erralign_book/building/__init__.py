"""The book's machinery: chapters are executed, pages are built."""
