"""Published systems as recipes, with what their papers say of each number."""
