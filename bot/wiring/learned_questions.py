"""What people asked and confirmed, as the index learns it from the audit store."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from audit.feedback import ConfirmedQuestion
from audit.log import AuditReader
from retrieval.documents.port import LearnedKey
from retrieval.ingest.confirmed_questions import Confirmed
from retrieval.ingest.expansion import folded


@dataclass(frozen=True, slots=True)
class AuditedQuestions:
    """It implements `retrieval.ingest.confirmed_questions.Readers`."""

    records: AuditReader
    labelled: Callable[[], Collection[str]] = tuple
    """Reads the questions by which quality is measured: learned, they would meet themselves."""

    def confirmed(self) -> Mapping[LearnedKey, Confirmed]:
        """Of each person each question once, with the newest answer that they confirmed."""
        return {(each.audit_id, each.passage_id): each for each in self._newest()}

    def texts(self, audit_ids: Collection[str]) -> Mapping[str, str]:
        """What was searched for, by the id of the answer."""
        return self.records.searched_for(audit_ids)

    def _newest(self) -> Iterable[Confirmed]:
        labelled = {folded(question) for question in self.labelled()}
        newest: dict[tuple[str, str], ConfirmedQuestion] = {}
        for each in self.records.confirmed_questions():
            whose = each.person_id, folded(each.question)
            before = newest.get(whose)
            if before is None or before.audit_id <= each.audit_id:
                newest[whose] = each
        for (_, question), each in newest.items():
            if question and labelled.isdisjoint({question, folded(each.asked)}):
                yield Confirmed(
                    each.audit_id, each.question, each.document_id, each.version, each.passage_id
                )
