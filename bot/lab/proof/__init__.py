"""Documents are read a second time by simpler means, to prove where passages stand."""
