"""Real streams on loopback, made by ffmpeg: Motion JPEG over HTTP, and RTSP through a small server that hands on
ffmpeg's RTP packets, because ffmpeg itself does not serve RTSP."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator

HAS_FFMPEG = shutil.which("ffmpeg") is not None
PICTURE = ("-re", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=15")


def free_port(kind: socket.SocketKind = socket.SOCK_STREAM) -> int:
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ffmpeg(*arguments: str, **options: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(["ffmpeg", "-loglevel", "error", "-nostdin", *PICTURE, *arguments], **options)  # type: ignore[call-overload,no-any-return]


@contextlib.contextmanager
def running(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def mjpeg_server(port: int) -> subprocess.Popen[bytes]:
    """Serves one caller, then ends, as ffmpeg does."""
    address = f"http://127.0.0.1:{port}/video"
    kind = "multipart/x-mixed-replace;boundary=ffmpeg"  # as phones announce it; ffmpeg must be told to
    return ffmpeg("-c:v", "mjpeg", "-q:v", "5", "-f", "mpjpeg", "-content_type", kind, "-listen", "1", address)


class RtspServer:
    """One stream, one caller at a time, RTP interleaved in the RTSP connection."""

    def __init__(self) -> None:
        self._rtp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._rtp.bind(("127.0.0.1", 0))
        self._rtp.settimeout(5)
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"rtsp://127.0.0.1:{self._door.getsockname()[1]}/table"
        target = f"rtp://127.0.0.1:{self._rtp.getsockname()[1]}?pkt_size=1200"
        self.encoder = ffmpeg(
            "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "8", "-bsf:v", "dump_extra",
            "-f", "rtp", target, stdout=subprocess.PIPE,
        )  # fmt: skip
        self._description = self._sdp()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._door.close()
        with running(self.encoder):
            pass
        self._rtp.close()

    def _sdp(self) -> bytes:
        assert self.encoder.stdout is not None
        lines = []
        for line in iter(self.encoder.stdout.readline, b""):
            if line.strip() and not line.startswith(b"SDP:"):
                lines.append(line.strip())
            if line.startswith(b"a=fmtp"):
                break
        lines = [b"m=video 0 RTP/AVP 96" if line.startswith(b"m=") else line for line in lines]
        return b"\r\n".join([*lines, b"a=control:track1", b""])

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                caller, _ = self._door.accept()
                with caller, contextlib.suppress(OSError):
                    self._answer(caller)

    def _answer(self, caller: socket.socket) -> None:
        lines = caller.makefile("rb")
        while request := lines.readline().decode():
            fields = {}
            while (line := lines.readline().decode().strip()) != "":
                name, _, value = line.partition(":")
                fields[name.lower()] = value.strip()
            verb = request.split()[0]
            extra, body = {
                "OPTIONS": ("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n", b""),
                "DESCRIBE": (f"Content-Base: {self.address}/\r\nContent-Type: application/sdp\r\n", self._description),
                "SETUP": ("Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 7\r\n", b""),
            }.get(verb, ("Session: 7\r\n", b""))
            head = f"RTSP/1.0 200 OK\r\nCSeq: {fields.get('cseq', '1')}\r\n{extra}Content-Length: {len(body)}\r\n\r\n"
            caller.sendall(head.encode() + body)
            if verb == "PLAY":
                self._play(caller)
                return

    def _play(self, caller: socket.socket) -> None:
        while True:
            packet = self._rtp.recv(65536)
            caller.sendall(b"$\x00" + len(packet).to_bytes(2, "big") + packet)
