import Foundation
import Models
import QoE
import SubjectRights
import Testing

@Suite struct HeldKindTests {
    private let kind = HeldKind(
        "row", what: BilingualText(en: "rows", fr: "lignes"), why: BilingualText(en: "tests", fr: "tests"),
        kept: BilingualText(en: "shortly", fr: "peu"),
        members: [HeldMember("number", .integer, "of the row")] + RecordKind.report.fields.map { HeldMember($0) })

    @Test func `a schema describes every member, and the two that all lines have`() throws {
        let line = try JSONSerialization.jsonObject(with: Data(kind.schemaLine(of: "sample"))) as? [String: Any]
        #expect(line?["kind"] as? String == "schema" && line?["of"] as? String == "row")
        let schema = try #require(line?["schema"] as? [String: Any])
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        #expect(properties.count == RecordKind.report.fields.count + 3)
        #expect(properties["kind"]?["const"] as? String == "row")
        #expect(properties["rsrp_dbm"]?["type"] as? String == "number")
        #expect((properties["rsrp_dbm"]?["description"] as? String)?.contains("dBm") == true)
    }

    @Test func `contents come back as they went`() throws {
        var contents = AccessContents(service: "sample", kinds: [kind])
        contents.count(SubjectLine("row", at: 5, json: Array("{}".utf8)))
        contents.count(SubjectLine("row", at: nil, json: Array("{}".utf8)))
        contents.count(SubjectLine("row", at: 3, json: Array("{}".utf8)))
        #expect(contents.kinds[0].count == 3 && contents.kinds[0].from == 3 && contents.kinds[0].to == 5)
        #expect(try AccessContents(bytes: contents.bytes()) == contents)
    }

    @Test func `a line is an object with its kind and service first`() {
        var out: [UInt8] = []
        SubjectLine("row", at: nil, json: Array("{}".utf8)).write(of: "sample", to: &out)
        SubjectLine("row", at: nil, json: Array(#"{"a":1}"#.utf8)).write(of: "sample", to: &out)
        #expect(
            String(decoding: out, as: UTF8.self)
                == "{\"kind\":\"row\",\"service\":\"sample\"}\n{\"kind\":\"row\",\"service\":\"sample\",\"a\":1}\n")
    }
}
