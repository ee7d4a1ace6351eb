import Foundation
import IngestUploads
import Models
import Testing
import Wire

@testable import IngestEdge

/// The committed corpus of the fuzz targets, run by every `swift test`: what once was found stays mended.
@Suite struct FuzzCorpusTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/corpus")

    /// The inputs of a target, by name.
    private static func inputs(_ target: String) throws -> [(name: String, bytes: [UInt8])] {
        let directory = corpus.appending(path: target).path
        return try FileManager.default.contentsOfDirectory(atPath: directory).sorted().map { name in
            ("\(target)/\(name)", Array(FileManager.default.contents(atPath: directory + "/" + name) ?? Data()))
        }
    }

    @Test(arguments: [("json", UploadRequest.Format.json), ("ndjson", .json), ("csv", .csv)])
    func `every body of the corpus leads to rows or to a problem`(target: String, format: UploadRequest.Format) throws {
        let invariants = UploadInvariants(), inputs = try Self.inputs(target)
        var rows = 0
        for input in inputs {
            do {
                rows += try input.bytes.withUnsafeBytes { try invariants.check($0, format) }
            } catch { Issue.record("\(input.name): \(error)") }
        }
        #expect(inputs.count >= 10 && rows > 30, "\(rows) rows of \(inputs.count) bodies")
    }

    @Test func `every compressed body of the corpus leads to rows or to a problem`() throws {
        let invariants = UploadInvariants(), inputs = try Self.inputs("inflate")
        var rows = 0
        for input in inputs {
            do {
                rows += try input.bytes.withUnsafeBytes { try invariants.check($0, .json, isCompressed: true) }
            } catch { Issue.record("\(input.name): \(error)") }
        }
        #expect(inputs.count >= 10 && rows > 10, "\(rows) rows of \(inputs.count) bodies")
    }

    @Test func `every body of Geosubmit in the corpus leads to rows or to a problem`() throws {
        let invariants = UploadInvariants(), inputs = try Self.inputs("geosubmit")
        var rows = 0
        for input in inputs {
            do {
                rows += try input.bytes.withUnsafeBytes { try invariants.checkGeosubmit($0) }
            } catch { Issue.record("\(input.name): \(error)") }
        }
        #expect(inputs.count >= 10 && rows > 15, "\(rows) rows of \(inputs.count) bodies")
    }

    @Test func `whatever frames of the corpus come, the service serves`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let inputs = try Self.inputs("websocket")
        var closed = 0
        for input in inputs {
            closed += try await RawWebSocket.with(bench, token, first: input.bytes) { socket in
                socket.client.finish()
                var end: UInt8?
                while let frame = try await socket.next() { end = frame.opcode }
                return end == 8 ? 1 : 0
            }
        }
        #expect(inputs.count >= 20 && closed > 10, "\(closed) of \(inputs.count)")
        #expect(try await bench.send(#"{"seq":1,"captured_at_ms":1760000000000}"#, token: token).status == 200)
        #expect(bench.budget.bytes == 0)
    }

    /// Found by fuzzing: the difference of the two times did not fit into 64 bits, and the service ended.
    @Test func `a record captured at the beginning of all numbers is too old`() throws {
        let bench = try EngineBench()
        for time in [Int64.min + 8, -9_223_372_036_854_775_000, Int64.max - 7] {
            let receipt = try bench.receipt(try Reading.upload(#"{"seq":1,"captured_at_ms":\#(time)}"#))
            #expect(receipt.items.map(\.code) == [time < 0 ? "too_old" : "in_future"])
        }
    }

    /// Found by fuzzing: a row with two faults was counted twice, and as nothing readable was left, all were refused.
    @Test func `a record that is broken twice costs only itself`() throws {
        let good = #"{"seq":1,"captured_at_ms":\#(Reading.now)}"#
        for broken in [#"{"seq":NaN,"captured_at_ms":1 2}"#, #"{"seq":.,"a":tru "b"}"#] {
            for body in ["[\(good),\(broken)]", "[\(broken),\(good)]", "\(good)\n\(broken)", "\(broken)\n\(good)"] {
                let upload = try Reading.upload(body)
                #expect(upload.columns.rowCount == 1 && upload.rejections.count == 1, "\(body)")
            }
        }
    }
}
