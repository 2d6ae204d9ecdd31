"""Writers turn evidence into a draft in which every claim names its source."""
