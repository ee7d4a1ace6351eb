import Foundation
import NIOCore

/// What the device API says of an upload.
struct ReplayAnswer: Decodable, Equatable {
    struct Item: Decodable, Equatable {
        struct Value: Decodable, Equatable {
            let field: String
            let code: String
        }

        let status: String
        let code: String?
        let field: String?
        let left_out: [Value]?
    }

    let accepted: Int
    let duplicates: Int
    /// Nil in a receipt of a service that counted them as duplicates.
    let conflicts: Int?
    let rejected: Int
    let items: [Item]?

    /// The receipt; nil if the body is none.
    init?(_ response: LoadResponse) {
        guard let receipt = try? JSONDecoder().decode(Self.self, from: Data(response.body.readableBytesView)) else {
            return nil
        }
        self = receipt
    }

    /// `code` of a problem document, or nothing.
    static func problemCode(_ response: LoadResponse) -> String {
        struct ProblemBody: Decodable { let code: String? }
        return (try? JSONDecoder().decode(ProblemBody.self, from: Data(response.body.readableBytesView)))?.code ?? ""
    }
}
