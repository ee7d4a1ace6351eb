"""Certificates by openssl."""
import os
import subprocess


def certificate(folder, serial):
    """Puts a new certificate with its key into the place of the old: cert.pem and key.pem."""
    draft = folder / "draft"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-set_serial", str(serial),
         "-keyout", f"{draft}.key", "-out", f"{draft}.cert"], check=True, capture_output=True)
    os.chmod(f"{draft}.key", 0o600)
    os.rename(f"{draft}.key", folder / "key.pem")
    os.rename(f"{draft}.cert", folder / "cert.pem")
