"""These implement `retrieval.ports.PassageIndex`."""
