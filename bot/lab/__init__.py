"""The lab measures: published systems, sweeps, judges, benches. Nothing that answers imports it."""
