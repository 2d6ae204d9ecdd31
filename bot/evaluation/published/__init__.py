"""Published systems as recipes, each after its own numbers, to stand beside ours."""
