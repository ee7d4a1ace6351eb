internal import Crypto
internal import Foundation
internal import Models

/// An order that a person, or whoever reads the file, pays.
struct PayoutLine: Sendable, Equatable {
    let reference: PaymentReference
    let recipient: PayoutNumber
    /// Whole XAF.
    let amount: Int64
    let orderedAt: UnixMilliseconds
}

/// A file of orders as it is written: CSV (RFC 4180) with a header, in the order of references.
///
///     reference,phone,operator,amount_xaf,ordered_at_ms
///     0f3c…,+237670000001,62401,50,1750000000000
///
/// Beside it a file `….sha256`, as `sha256sum -c` reads it.
struct PayoutFile: Sendable, Equatable {
    static let header = "reference,phone,operator,amount_xaf,ordered_at_ms"

    let name: String
    let text: String

    init(name: String, _ lines: [PayoutLine]) {
        self.name = name
        let rows = lines.sorted { $0.reference.text < $1.reference.text }.map {
            "\($0.reference.text),\($0.recipient.phone),\($0.recipient.operator),\($0.amount),\($0.orderedAt)"
        }
        text = ([Self.header] + rows).map { $0 + "\r\n" }.joined()
    }

    /// `payouts-2026-03-01-2.csv`: the second of a local day.
    static func name(day: Int64, number: Int) -> String { "payouts-\(CivilDay.text(day))-\(number).csv" }

    var digest: String { Hexadecimal.text(SHA256.hash(data: Array(text.utf8))) }

    var digestLine: String { "\(digest)  \(name)\n" }
}
