"""Guests: systems that a reader brings, set beside people and networks everywhere, and never among them."""
