"""Commands of the lab, under `vouch lab`."""
