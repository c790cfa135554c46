"""Motion JPEG over HTTP, as phones that play network camera send it: a multipart answer that never ends.

OpenCV could read it too, but would decode every frame in full; here a frame stays bytes until somebody looks at it.
"""

from __future__ import annotations

import http.client
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Protocol

from companion.errors import InvalidInput
from vision.live.frames import MAX_BYTES

SILENCE_S = 2.0  # a stream that says nothing for so long is taken up anew
_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)


class Stream(Protocol):
    def read1(self, amount: int, /) -> bytes: ...


def parts(stream: Stream, boundary: bytes) -> Iterator[bytes]:
    """The bodies of a multipart stream, each as soon as it is complete; ends where the stream ends.

    >>> import io
    >>> body = b"--b\\r\\nContent-Length: 3\\r\\n\\r\\nabc\\r\\n--b\\r\\nX-Time: 1\\r\\n\\r\\nde\\r\\n--b--"
    >>> list(parts(io.BufferedReader(io.BytesIO(body)), b"b"))
    [b'abc', b'de']
    """
    delimiter = b"--" + boundary
    buffer = bytearray()
    while True:
        while (cut := _first_part(buffer, delimiter)) is not None:
            body, rest = cut
            del buffer[:rest]
            yield body
        if len(buffer) > MAX_BYTES:
            raise InvalidInput("the camera sent a frame without an end; choose a lower resolution")
        chunk = stream.read1(65536)
        if not chunk:
            return
        buffer += chunk


def _first_part(buffer: bytearray, delimiter: bytes) -> tuple[bytes, int] | None:
    """The first complete body and where the rest begins; None while more bytes are needed."""
    start = buffer.find(delimiter)
    head = buffer.find(b"\r\n\r\n", start + len(delimiter)) if start >= 0 else -1
    if head < 0:
        return None
    begin = head + 4
    if stated := _LENGTH.search(buffer, start, head):
        end = begin + int(stated[1])
        return (bytes(buffer[begin:end]), end) if len(buffer) >= end else None
    end = buffer.find(b"\r\n" + delimiter, begin)
    return (bytes(buffer[begin:end]), end) if end >= 0 else None


def connect(address: str) -> http.client.HTTPResponse | None:
    """The open answer of an MJPEG camera, or None where the address serves something else."""
    try:
        answer = urllib.request.urlopen(address, timeout=SILENCE_S)  # the host typed this address
    except (OSError, http.client.HTTPException, ValueError) as problem:
        reason = getattr(problem, "reason", problem)
        raise InvalidInput(f"{address}: no camera answers there ({reason}); check the address and the Wi-Fi") from None
    if isinstance(answer, http.client.HTTPResponse) and answer.headers.get_content_maintype() == "multipart":
        return answer
    answer.close()
    return None


def boundary_of(answer: http.client.HTTPResponse) -> bytes:
    """As the answer states it; some cameras write the leading dashes into it, which the standard does not."""
    return (answer.headers.get_boundary() or "").encode().removeprefix(b"--")
