import Crypto
import Foundation
import IngestUploads
import Testing

@testable import IngestAPI

/// Signatures that nothing of ours has made.
@Suite struct MessageSignatureTests {
    /// RFC 9421, appendix B.2.4: a response signed with `test-key-ecc-p256`.
    @Test func `the example of the standard holds`() throws {
        let key = try #require(
            DeviceKey.read(
                """
                MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGG\
                dldkkDXZCnTNnoXQ==
                """))
        let signature = try MessageSignature(
            input: """
                sig-b24=("@status" "content-type" "content-digest" "content-length");created=1618884473\
                ;keyid="test-key-ecc-p256"
                """,
            signature: """
                sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==:
                """)
        let digest =
            "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:"
        let values = [
            "@status": "200", "content-type": "application/json", "content-digest": digest, "content-length": "23",
        ]
        let base = try SignatureBase.text(signature) { values[$0] }
        try SignatureGate(key: key).verify(signature, base)
        try ContentDigest.check(digest, Array(#"{"message": "good dog"}"#.utf8))
        #expect(throws: DeviceAPIError.self) { try ContentDigest.check(digest, Array(#"{"message": "bad dog"}"#.utf8)) }
        #expect(throws: DeviceAPIError.self) { try ContentDigest.check("md5=:AAAA:", []) }
        #expect(throws: DeviceAPIError.self) {
            try SignatureGate(key: key).verify(signature, base.replacing("200", with: "201"))
        }
    }

    /// Made by the `openssl` command, 3.0.19:
    ///
    ///     openssl ecparam -name prime256v1 -genkey -noout -out key.pem
    ///     openssl pkey -in key.pem -pubout -outform DER | base64
    ///     openssl dgst -sha256 -sign key.pem base | base64
    @Test func `what openssl signs holds`() throws {
        let key = try #require(
            DeviceKey.read(
                """
                MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEbpX5/Dan2wIP3STIM4bPbJhAonAI9dWdRZlLfn/dxdyTMtjhm2wEgnRJew/E65Lehpqq5R\
                4mfBjIe2PntyYBxA==
                """))
        // openssl writes DER; on the wire are r and s.
        let der = """
            MEUCIQDGY4LIR5Ce20TRNMnHlTVdsbp77SVIAINjdtzdOmFEHQIgLD1odYZpOa4ea9Yp3uz/0kHJ8gv+ieW68cuUIwisKLk=
            """
        let made = try P256.Signing.ECDSASignature(derRepresentation: try #require(Data(base64Encoded: der)))
        let signature = try MessageSignature(
            input: #"a=("@method" "@path" "@query" "content-digest");created=1760000000"#,
            signature: "a=:\(made.rawRepresentation.base64EncodedString()):")
        let values = [
            "@method": "PUT", "@path": "/v1/me/payout", "@query": "?",
            "content-digest": "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
        ]
        let base = try SignatureBase.text(signature) { values[$0] }
        try SignatureGate(key: key).verify(signature, base)
        #expect(throws: DeviceAPIError.self) { try SignatureGate(key: key).verify(signature, base + " ") }
    }
}
