"""The steps from a stored question to a reply that is seen and recorded as such.

Each takes an exchange at its stage and returns it at the next; each may be broken off at
any moment and done again. What fails is raised, and `worker_pool` decides what becomes of it.
"""
