"""Our own claims: the sentences of the book that a reader would repeat, one object each."""
