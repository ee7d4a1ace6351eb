import Models
import QoE
import Testing

@Suite("Programmes that run together")
struct ProgrammesTests {
    private static let own =
        Field.identity + [
            Field(128, "rain_mm", .number(scale: 10), unit: "mm", range: 0...20_000),
            Field(129, "site", .number(scale: 1), range: 1...1_000_000),
        ]

    private static func record(
        _ id: UInt8 = 64, name: String = "rain", fields: [Field] = own, server: [Field] = Field.reception,
        problems: [AlarmProblem] = []
    ) -> RecordKind {
        RecordKind(id: id, name: name, version: 1, fields: fields, serverFields: server, problems: problems)
    }

    private static func programme(
        _ kind: RecordKind = record(), number: UInt8 = 7, name: String = "rain", path: String = "/v1/rain",
        scope: RowScope = .number(scheme: "site", column: 129), metrics: [ProgrammeMetric] = [rain], level: Int = 16,
        strata: Strata = .one, example: String = "{}", second: RecordKind? = nil
    ) -> Programme {
        let text = ProgrammeKind.Description(
            schema: "Rain", operation: "sendRain", summary: "", example: example, csv: "")
        let held = ProgrammeKind.HeldText(english: "", french: "", whyEnglish: "", whyFrench: "")
        return Programme(
            number: number, name: name,
            kinds: [kind, second].compactMap(\.self).enumerated().map { place, kind in
                ProgrammeKind(
                    kind, path: place == 0 ? path : "\(path)/\(place)", description: text, scope: scope, held: held)
            }, metrics: metrics, strata: strata, finestLevel: level)
    }

    /// Of the same programme; its column 128 is something else.
    private static let hail = record(
        65, name: "hail",
        fields: Field.identity + [
            Field(128, "stones", .number(scale: 1)), Field(129, "site", .number(scale: 1), range: 1...1_000_000),
            Field(130, "widest_mm", .number(scale: 10), unit: "mm", range: 0...2_000),
        ])

    private static let rain = ProgrammeMetric(64, "rain_mm", column: 128, bins: .logarithmic)

    private static func problem(_ number: Int64, column: UInt8 = 128) -> AlarmProblem {
        AlarmProblem(
            number, rule: "rain.heavy", severity: .major, type: "environmentalAlarm", cause: "thresholdCrossed",
            text: "it rains", french: "il pleut", when: [ColumnCondition(column, 500...Int64.max)])
    }

    @Test func `a programme beside QoE is known by number, name and kind`() throws {
        let programmes = try Programmes([.qoe, Self.programme()])
        #expect(programmes.kind(64)?.path == "/v1/rain" && programmes.kind(named: "rain")?.kind.id == 64)
        #expect(programmes.programme(of: 64)?.name == "rain" && programmes.programme(of: 1)?.name == "qoe")
        #expect(programmes.record(64)?.name == "rain" && programmes.record(4)?.name == "alarm")
        #expect(programmes.kind(4) == nil && programmes.record(65) == nil && Programmes.qoe.record(64) == nil)
    }

    private static let faults: [(Programme, String)] = [
        (programme(record(64, fields: own + [Field(128, "again", .flag)])), "column 128 is declared twice"),
        (programme(record(64, fields: own + [Field(130, "site", .flag)])), "the name site is declared twice"),
        (programme(record(64, fields: own + [Field(ColumnID.rsrp, "battery_v", .flag)])), "column 40 is rsrp_dbm"),
        (programme(record(64, fields: own + [Field(200, "far", .flag)])), "columns 128 to 199"),
        (programme(record(64, server: [])), "column 3 is missing"),
        (programme(record(1)), "a number from 64 to 255"),
        (programme(record(64, name: "report")), "the name is that of a kind of programme qoe"),
        (programme(path: "/v1/reports"), "/v1/reports is the path of kind report"),
        (programme(path: "/rain"), "no path below /v1/"),
        (programme(number: 1), "number 1 is that of programme qoe"),
        (programme(number: 0), "number 0 is no programme's"),
        (programme(name: "qoe"), "two programmes of that name"),
        (programme(metrics: [ProgrammeMetric(4, "rain_mm", column: 128, bins: .logarithmic)]), "from 64 to 255"),
        (programme(metrics: [ProgrammeMetric(64, "rsrp", column: 40, bins: .logarithmic)]), "column 40 is in no kind"),
        (programme(metrics: [rain, rain]), "metrics ascend by number"),
        (programme(scope: .number(scheme: "plmn", column: 129)), "plmn names no scheme of scopes"),
        (programme(scope: .number(scheme: "site", column: 150)), "column 150 is none of its own"),
        (programme(record(problems: [problem(4)])), "problem 4 is that of kind feedback"),
        (programme(record(problems: [problem(70, column: 160)])), "no record of it can report problem 70"),
        (programme(level: 21), "finest level 21"),
        (programme(example: "{\"rain_mm\":"), "its example is no JSON object"),
        (
            programme(record(fields: own.dropLast() + [Field(129, "site", .digits, range: 0...99)])),
            "column 129 has numbers beyond those of scopes, 1...16777215"
        ),
        (programme(strata: Strata(["", "hail"], column: 130, codes: [1])), "column 130 is no column of small numbers"),
        (
            programme(strata: Strata(["", "hail"], column: 128, codes: [0, 2])), "code 2 has no name; the last one is 1"
        ),
        (programme(strata: Strata([], column: nil, codes: [])), "0 of them; it may have 1 to 16"),
        (programme(second: hail), "column 128 is another field in each kind; it has to name its kind"),
        (
            programme(metrics: [ProgrammeMetric(64, "mm", column: 130, bins: .logarithmic, kind: 64)], second: hail),
            "column 130 is in no kind of the programme that counts"
        ),
    ]

    @Test(arguments: faults.indices)
    func `what cannot run together is refused by name`(place: Int) {
        let (programme, message) = Self.faults[place]
        let error = #expect(throws: ProgrammeError.self) { _ = try Programmes([.qoe, programme]) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        #expect(error?.programme == programme.name)
    }

    @Test func `a metric may be of one kind alone`() throws {
        let stones = ProgrammeMetric(65, "stones", column: 128, bins: .linear(divisor: 1), kind: 65)
        let rain = ProgrammeMetric(64, "rain_mm", column: 128, bins: .logarithmic, kind: 64)
        let programme = Self.programme(metrics: [rain, stones], second: Self.hail)
        _ = try Programmes([.qoe, programme])
        #expect(programme.field(of: stones)?.name == "stones" && programme.field(of: rain)?.name == "rain_mm")
        #expect(rain.isOf(64) && !rain.isOf(65) && programme.cellScope?.scheme == "site")
    }

    @Test func `two programmes may use the same column and metric numbers, each for its own`() throws {
        let other = Self.programme(
            Self.record(65, name: "doors", fields: Field.identity + [Field(128, "open", .flag), Self.own[4]]),
            number: 8,
            name: "doors", path: "/v1/doors",
            metrics: [ProgrammeMetric(64, "open", column: 128, bins: .linear(divisor: 1))])
        let programmes = try Programmes([.qoe, Self.programme(), other])
        #expect(
            programmes.record(64)?.field(128)?.name == "rain_mm" && programmes.record(65)?.field(128)?.name == "open")
    }

    @Test func `scopes are read back from their text`() throws {
        for text in ["plmn:62401", "site:12", "site:16777215"] { #expect(Scope(text: text)?.text == text) }
        for text in ["site:", "site:0", "site:16777216", "Site:1", "plmn:1", "12", "site:1x", ":5"] {
            #expect(Scope(text: text) == nil, "\(text)")
        }
    }

    @Test func `a record reports the worst of its problems`() {
        func problem(_ values: [UInt8: Int64]) -> AlarmProblem? { RecordKind.feedback.problem { values[$0] } }
        #expect(problem([ColumnID.event: 2, ColumnID.rating: 1]) == .noService)
        #expect(problem([ColumnID.event: 2, ColumnID.rating: 1, ColumnID.trigger: 2]) == .emergency)
        #expect(problem([ColumnID.event: 0]) == .callDrop && problem([ColumnID.rating: 2]) == .badRating)
        #expect(problem([ColumnID.event: 1, ColumnID.rating: 3, ColumnID.trigger: 1]) == nil && problem([:]) == nil)
        #expect(RecordKind.prompt.problemColumns.isEmpty && RecordKind.report.problemColumns == [ColumnID.event])
    }
}
