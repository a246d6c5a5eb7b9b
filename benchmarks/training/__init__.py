"""Can a network be taught to err like people? Heads on frozen features, trained with each loss and its controls."""
