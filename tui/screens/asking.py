"""Asking the library beside the screen: searches, what is related, and explanations of scores."""

from textual import work
from textual.timer import Timer
from textual.worker import get_current_worker

from ...core.errors import ChunkscopeError
from ...core.hits import SearchResult
from ..messages import Answered, SearchFailed
from ..questions import Newest, Query, Question
from ..workspace import Workspace
from .going import GoingScreen
from .workspace_screen import REST


class AskingScreen(GoingScreen):
    """Answers come as messages, in the order of the questions; of a burst only the newest counts.

    A search that has begun runs to its end, since the indexes cannot be stopped in between; then
    the newest question takes its turn, and none in between ever does.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._asked: Newest[Question] = Newest()
        self._unexplained: Newest[Query] = Newest()
        self._explain_later: Timer | None = None

    def ask(self, question: Question | None) -> None:
        """Have a question answered: `Answered` or `SearchFailed`; None drops what still waits."""
        if self._explain_later is not None:
            self._explain_later.stop()
        self._unexplained.drop()
        if question is None:
            self._asked.drop()
        elif self._asked.put(question):
            self._answer()

    def explain_at_rest(self, query: Query) -> None:
        """Have the scores of a query's hits explained once the cursor has rested: `Answered`."""
        if self._explain_later is not None:
            self._explain_later.stop()
        self._explain_later = self.set_timer(REST, lambda: self.explain_hits(query))

    def explain_hits(self, query: Query) -> None:
        """Have the scores of a query's hits explained: `Answered`."""
        if self._unexplained.put(query):
            self._explain_hits()

    @work(thread=True, group="search", exit_on_error=False)
    def _answer(self) -> None:
        worker = get_current_worker()
        for question in self._asked:
            message = self._answer_to(question)
            if worker.is_cancelled:
                return
            self.post_message(message)

    @work(thread=True, group="explain-hits", exit_on_error=False)
    def _explain_hits(self) -> None:
        worker = get_current_worker()
        for query in self._unexplained:
            message = self._answer_to(query, explain=True)
            if worker.is_cancelled:
                return
            self.post_message(message)

    def _answer_to(self, question: Question, *, explain: bool = False) -> Answered | SearchFailed:
        try:
            result = self._result_of(question, explain)
        except ChunkscopeError as error:
            return SearchFailed(question, str(error))
        except Exception as error:  # the thread must live on for the next question
            return SearchFailed(question, f"{type(error).__name__}: {error}")
        return Answered(question, result, explain)

    def _result_of(self, question: Question, explain: bool) -> SearchResult:
        if isinstance(question, Query):
            return self.workspace.search(
                question.text,
                question.mode,
                scope=question.scope,
                rerank=question.rerank,
                explain=explain,
            )
        return self.workspace.related(question.id, same_document=question.same_document)
