"""The door for other agents: the same scope, gate and audit as every other."""
