"""The WSGI server around the app: cheroot, with a thread for every open event stream, and TLS where it is asked for."""

from __future__ import annotations

import ipaddress
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from cheroot.ssl.builtin import BuiltinSSLAdapter
from cheroot.wsgi import Server
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from flask import Flask

from web.config import Config
from web.services import Services

THREADS: Final = 64  # every phone's event stream holds one; four players, a television and a few onlookers leave plenty
VALID_DAYS: Final = 820  # phones refuse certificates that are valid for much longer than two years


def make_server(app: Flask, config: Config, host: str, port: int, *, https: bool = False) -> Any:
    """A server that is ready to start; `server.stop()` closes the app too."""
    server = PageServer(
        (host, port), app, numthreads=THREADS, request_queue_size=64, timeout=20, server_name="companion"
    )
    server.shared = app.extensions["companion"]
    if https:
        assert config.data_dir is not None
        certificate, key = certificate_files(config.data_dir, tuple(sorted(config.hosts)))
        server.ssl_adapter = BuiltinSSLAdapter(str(certificate), str(key))
        server.ssl_adapter.context.minimum_version = ssl.TLSVersion.TLSv1_2
    return server


class PageServer(Server):
    """Stops the event streams first, so that their threads end, and closes the app last."""

    shared: Services

    def stop(self) -> None:
        self.shared.bus.close()
        super().stop()
        self.shared.close()


def certificate_files(folder: Path, names: tuple[str, ...]) -> tuple[Path, Path]:
    """The certificate for these names, made on first use and made anew when a name is missing or it is about to end."""
    certificate, key = folder / "certificate.pem", folder / "certificate-key.pem"
    if not (certificate.exists() and key.exists() and _covers(certificate, names)):
        _make(certificate, key, names)
    return certificate, key


def _covers(file: Path, names: tuple[str, ...]) -> bool:
    try:
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        listed = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except ValueError:
        return False
    known = {str(name.value) for name in listed}
    return set(names) <= known and certificate.not_valid_after_utc > datetime.now(UTC) + timedelta(days=7)


def _make(file: Path, key_file: Path, names: tuple[str, ...]) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Dungeon companion")])
    start = datetime.now(UTC) - timedelta(hours=1)  # a phone's clock may be a little slow
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=VALID_DAYS))
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    key_file.touch(mode=0o600)
    key_file.write_bytes(secret)
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
