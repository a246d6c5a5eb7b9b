"""Studies of our own methods: result tables that belong to no paper."""
