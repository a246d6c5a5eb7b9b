"""What the labs of *Align it* find on real people: maps between likeness and errors, and tempting wrong options."""
