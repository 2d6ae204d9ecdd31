"""What documents say of themselves, the ontology, and who may read what."""
