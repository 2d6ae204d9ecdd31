"""Work by the clock: one table of jobs, run by one of several bots, each run recorded."""
