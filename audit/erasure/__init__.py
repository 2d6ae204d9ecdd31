"""The content of entries is erased; what stays of them still verifies."""
