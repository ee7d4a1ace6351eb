import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import ServiceKit
import Testing

@testable import ExporterAPI
@testable import ExporterRows

/// `GET /v1/words`.
@Suite struct WordTests {
    private func comments(_ texts: [(device: Int64, text: String)]) -> [RawRowComments.Comment] {
        texts.map { RawRowComments.Comment(device: $0.device, text: $0.text) }
    }

    @Test func `a word counts once for each device, whatever its case and accents`() {
        var texts: [(device: Int64, text: String)] = (1...12).map {
            ($0, $0 % 2 == 0 ? "Réseau très LENT, vraiment" : "reseau lent!")
        }
        texts += (1...9).map { ($0 as Int64 + 100, "coupure") }
        texts += Array(repeating: (200, "arnaque"), count: 30)
        let words = CommentWords(comments(texts)).words
        #expect(words == [.init(text: "lent", devices: 12), .init(text: "reseau", devices: 12)])
    }

    @Test func `a number, a name of one phone and what says nothing are no words`() {
        #expect(CommentWords.words(of: "The 237 network n'est pas là, ça ne va pas du tout avec vous") == ["network"])
        let texts = (1...20).map {
            (device: $0 as Int64, text: "call me 677\($0) nom\(String(repeating: "x", count: Int($0)))")
        }
        #expect(CommentWords(comments(texts)).words.map(\.text) == ["call"])
    }

    private func rows() -> [TestRow] {
        (1...24 as ClosedRange<Int64>).map { phone in
            var row = FigureHouse.row(
                phone, at: FigureHouse.midnight + 60_000, network: phone <= 12 ? 1 : 2, seq: phone,
                latitude: 40_500_000, longitude: 97_000_000, [ColumnID.rating: phone % 12 == 0 ? 4 : 2])
            row.kind = .feedback
            row.comment = phone <= 12 ? "Coupure à Douala" : "lent"
            return row
        }
    }

    private let period = "?from=\(FigureHouse.midnight)&to=\(FigureHouse.midnight + 3_600_000)"

    @Test func `an owner sees the words of its own network's bad ratings`() async throws {
        let house = try FigureHouse(rows())
        let headers = TestExporter.bearer(try await house.exporter.tenant("mtn", ["62401"]))
        let own = try await house.answer("/v1/words" + period, headers: headers)
        #expect(own["ratings"] == 11 && own["comments"] == 11, "\(own.text)")
        #expect(own["words"]?.array?.map { $0["word"]?.string } == ["coupure", "douala"])
        #expect(own["words"]?.array?.first?["devices"] == 11)
        let all = try await house.answer("/v1/words" + period)
        #expect(all["words"]?.array?.count == 3)
        #expect(try await house.answer("/v1/words" + period + "&rating=1")["words"]?.array == [])
        #expect(try await house.answer("/v1/words" + period + "&region=yaounde")["comments"] == 0)
        #expect(await house.exporter.request("/v1/words?plmn=62402", headers: headers).status == .forbidden)
        #expect(try await house.answer("/v1/words?rating=6")["field"] == "rating")
    }
}
