"""The app uploads with `files.*`: an address, the bytes there, and that they are complete."""

from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot.workspace.files import LARGEST, Files
from bot.workspace.methods.calls import Answer, Call, Method
from bot.workspace.methods.rate_limits import TIER_3, TIER_4
from bot.workspace.methods.refusal import Refused


class FileMethods:
    """They keep a file to the app itself: nothing is shared to a channel here."""

    def __init__(self, files: Files) -> None:
        self._files = files

    def methods(self) -> dict[str, Method]:
        write = "files:write"
        return {
            "files.getUploadURLExternal": Method(self._begin, write, TIER_4),
            "files.completeUploadExternal": Method(self._complete, write, TIER_4),
            "files.delete": Method(self._delete, write, TIER_3),
        }

    def route(self) -> Route:
        """Return where the bytes are sent."""
        return Route("/upload/v1/{secret}", self._upload, methods=["POST"])

    def _begin(self, call: Call) -> Answer:
        file = self._files.begin(call.text("filename"), int(call.number("length", 0)))
        url = f"{call.base_url}/upload/v1/{file.secret}"
        return {"upload_url": url, "file_id": file.file_id}

    async def _upload(self, request: Request) -> Response:
        content = b""
        async for piece in request.stream():
            content += piece
            if len(content) > LARGEST:
                return PlainTextResponse("too large", 413)
        if not self._files.receive(request.path_params["secret"], content):
            return PlainTextResponse("no such upload", 404)
        return PlainTextResponse(f"OK - {len(content)}")

    def _complete(self, call: Call) -> Answer:
        named = call.json("files", "invalid_arguments")
        if not isinstance(named, list) or not named:
            raise Refused.blocks("invalid_arguments", ["missing required field: files"])
        if call.maybe("channel_id") or call.maybe("channels"):
            raise Refused("posting_to_channel_denied")
        return {"files": [self._completed(each) for each in named]}

    def _completed(self, named: Any) -> Answer:
        file = self._files.complete(str(named.get("id")) if isinstance(named, dict) else "")
        return {
            "id": file.file_id,
            "title": named.get("title", file.name),
            "mimetype": "",  # Slack looks at it later
            "is_public": False,
            "channels": [],
        }

    def _delete(self, call: Call) -> Answer:
        self._files.delete(call.text("file"))
        return {}
