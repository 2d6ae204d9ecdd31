"""A bucket witnesses the log: an object for each checkpoint, which nothing writes over."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from buckets import azure, google
from remote_places import Place, listed, opening, read, s3, sftp

from audit.errors import AuditDamaged
from audit.proof.checkpoints import Checkpoint, CheckpointBucket, Signer
from retrieval.remote.filesystem import FileSystemSource
from retrieval.remote.urls import source_url

pytestmark = pytest.mark.server
SIGNER = Signer(bytes(32))


def of(size: int, root: int = 0, day: int = 1) -> Checkpoint:
    return SIGNER.sign(size, bytes([root]) * 32, datetime(2026, 3, day, tzinfo=UTC))


@pytest.fixture(params=[s3, sftp, azure, google])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    (tmp_path / "place").mkdir()
    with request.param(tmp_path / "place") as place:
        yield place


@pytest.fixture
def bucket(place: Place) -> CheckpointBucket:
    url = source_url(place.url)
    return CheckpointBucket(place.url, lambda: opening(place.keys).bucket(url))


def test_each_checkpoint_is_an_object_and_they_stand_in_the_order_of_the_log(
    place: Place, bucket: CheckpointBucket
) -> None:
    assert bucket.all() == ()
    for size in (900, 10_000, 1_042):
        bucket.keep(of(size))
    place.put({"read-me.txt": "Whose log this is."})
    assert [each.size for each in bucket.all()] == [900, 1_042, 10_000]
    objects = sorted(name for name in listed(place.source) if name.endswith(".checkpoint"))
    assert [int(name.partition(".")[0]) for name in objects] == [900, 1_042, 10_000]


def test_google_is_asked_to_let_a_witness_write_and_a_source_only_read(tmp_path: Path) -> None:
    """Its stand-in lets both write."""
    with google(tmp_path) as place:
        url = source_url(place.url)
        source, bucket = (
            opening(place.keys).source(url, tmp_path),
            opening(place.keys).bucket(url),
        )
        assert isinstance(source, FileSystemSource)
        assert source.system.credentials.access == "read_only"
        assert bucket.system.credentials.access == "read_write"


def test_what_was_kept_is_never_written_over_and_another_log_of_its_size_is_an_alarm(
    place: Place, bucket: CheckpointBucket
) -> None:
    bucket.keep(of(7))
    bucket.keep(of(7, day=2))  # of the same log, by a bot that did not know
    (name,) = listed(place.source)
    for another in (of(7, root=1), Signer(bytes([1]) * 32).sign(7, bytes(32), datetime.now(UTC))):
        with pytest.raises(AuditDamaged, match="left as it is"):
            bucket.keep(another)
    assert read(place.source, name) == of(7).note
    for altered in ("", of(8).note):
        place.put({name: altered})
        with pytest.raises(AuditDamaged, match=name):
            bucket.all()
        with pytest.raises(AuditDamaged, match=name):
            bucket.keep(of(7))
