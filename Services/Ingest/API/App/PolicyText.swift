internal import Crypto
internal import Foundation
internal import Models
internal import ServiceKit

/// The privacy policy as subscribers are shown it before they agree, in both languages. Read once at start; immutable.
package struct PolicyText: Sendable {
    package enum Language: String, CaseIterable, Sendable { case en, fr }

    private let texts: [Language: String]
    /// What an enrolment names as `policy_version`: the first 16 hexadecimal digits of the SHA-256 of both texts. Another word is
    /// another version.
    package let version: String

    /// - Parameter directory: with `en.txt` and `fr.txt`, in UTF-8.
    /// - Throws: ``ServiceError`` naming the file that cannot be read, is empty or has more than 64 KB.
    package init(directory: String) throws {
        var texts: [Language: String] = [:], hash = SHA256()
        for language in Language.allCases {
            let path = "\(directory)/\(language.rawValue).txt"
            guard let data = FileManager.default.contents(atPath: path),
                let text = String(bytes: data, encoding: .utf8),
                (1...65_536).contains(data.count)
            else {
                throw ServiceError(
                    .usage,
                    "NKUL_INGEST_POLICY: \(path) is not a text in UTF-8 of 1 to 65536 bytes; both en.txt and fr.txt are needed"
                )
            }
            texts[language] = text
            hash.update(data: data)
        }
        self.texts = texts
        version = String(Hexadecimal.text(Array(hash.finalize())).prefix(16))
    }

    /// The document of `GET /v1/policy`.
    func document(_ language: Language) -> [UInt8] {
        let text = texts[language]!
        var json = JSONWriter()
        json.raw("{\"version\":\"\(version)\",\"lang\":\"\(language.rawValue)\",\"sha256\":\"")
        json.raw(Hexadecimal.text(Array(SHA256.hash(data: Array(text.utf8)))))
        json.raw("\",\"text\":")
        json.string(text)
        json.raw("}")
        return json.bytes
    }
}
