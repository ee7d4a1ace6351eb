internal import Foundation

/// What must hold of programmes that run together.
///
///     number    kinds                      columns                    metrics
///     platform  1–63                       0–127, 200–255, shared
///     QoE (1)   1–63                       0–127                      0–63
///     others    64–255, each of one alone  0–127 as they are shared,  64–255, scoped by programme
///                                          128–199, scoped by kind
struct ProgrammeCheck {
    static let ownKinds: ClosedRange<UInt8> = 64...255
    static let ownColumns: ClosedRange<UInt8> = 128...199
    static let ownMetrics: ClosedRange<UInt8> = 64...255
    /// Most metrics and strata of a programme: both have four bits where rows are summed.
    static let most = 16

    private var kinds: [UInt8: String] = Dictionary(
        uniqueKeysWithValues: RecordKind.platform.map { ($0.id, "the platform") })
    private var kindNames: [String: String] = [:]
    private var paths: [String: String] = [:]
    private var problems: [Int64: String] = [:]
    private var shared: [UInt8: Field] = [:]

    /// - Throws: the first fault.
    static func run(_ programmes: [Programme]) throws(ProgrammeError) {
        var check = ProgrammeCheck(), names: [String: UInt8] = [:], numbers: [UInt8: String] = [:]
        for programme in programmes {
            guard programme.number > 0 else { throw ProgrammeError(programme.name, "number 0 is no programme's") }
            if let other = numbers.updateValue(programme.name, forKey: programme.number) {
                throw ProgrammeError(programme.name, "number \(programme.number) is that of programme \(other)")
            }
            if names.updateValue(programme.number, forKey: programme.name) != nil {
                throw ProgrammeError(programme.name, "there are two programmes of that name")
            }
            for kind in programme.kinds { try check.check(kind, programme) }
            try Self.checkMetrics(programme)
            try Self.checkCells(programme)
        }
    }

    private mutating func check(_ kind: ProgrammeKind, _ programme: Programme) throws(ProgrammeError) {
        let record = kind.kind
        func fault(_ message: String) -> ProgrammeError {
            ProgrammeError(programme.name, "kind \(record.name) (\(record.id)): \(message)")
        }
        guard programme.number == Programme.qoeNumber || Self.ownKinds.contains(record.id) else {
            throw fault("a kind of a programme has a number from 64 to 255")
        }
        if let owner = kinds.updateValue("programme \(programme.name)", forKey: record.id) {
            throw fault("the number is that of a kind of \(owner)")
        }
        if let owner = kindNames.updateValue(programme.name, forKey: record.name) {
            throw fault("the name is that of a kind of programme \(owner)")
        }
        if let owner = paths.updateValue(record.name, forKey: kind.path) {
            throw fault("\(kind.path) is the path of kind \(owner)")
        }
        guard kind.path.hasPrefix("/v1/"), !kind.path.contains("{") else {
            throw fault("\(kind.path) is no path below /v1/")
        }
        guard (try? JSONSerialization.jsonObject(with: Data(kind.description.example.utf8))) is [String: Any] else {
            throw fault("its example is no JSON object")
        }
        try checkFields(record, isOfPlatform: programme.number == Programme.qoeNumber, fault)
        try checkReferences(kind, fault)
        for problem in record.problems {
            if let owner = problems.updateValue(record.name, forKey: problem.number), owner != record.name {
                guard programme.kinds.contains(where: { $0.kind.name == owner && $0.kind.problems.contains(problem) })
                else {
                    throw fault("problem \(problem.number) is that of kind \(owner)")
                }
            }
        }
    }

    /// No column and no name twice; what is shared is the same in all kinds.
    private mutating func checkFields(
        _ kind: RecordKind, isOfPlatform: Bool, _ fault: (String) -> ProgrammeError
    ) throws(ProgrammeError) {
        var columns: Set<UInt8> = [], names: Set<String> = []
        for field in kind.fields + kind.serverFields {
            guard columns.insert(field.column).inserted else { throw fault("column \(field.column) is declared twice") }
            guard names.insert(field.name).inserted else { throw fault("the name \(field.name) is declared twice") }
            if field.column < Self.ownColumns.lowerBound {
                if let other = shared.updateValue(field, forKey: field.column), other != field {
                    throw fault("column \(field.column) is \(other.name) in other kinds, here it is \(field.name)")
                }
            } else if isOfPlatform || !Self.ownColumns.contains(field.column) {
                throw fault(
                    "column \(field.column) (\(field.name)): a kind of a programme has columns 128 to 199 of its own")
            }
        }
        for column in [ColumnID.capturedAt, ColumnID.device, ColumnID.receivedAt, ColumnID.flags]
        where !columns.contains(column) {
            throw fault("column \(column) is missing: every kind says who, when and with what consent")
        }
    }

    /// What a kind names, it has.
    private mutating func checkReferences(
        _ kind: ProgrammeKind, _ fault: (String) -> ProgrammeError
    ) throws(ProgrammeError) {
        let record = kind.kind, plausibility = record.plausibility
        for problem in record.problems where !problem.conditions.contains(where: { record.field($0.column) != nil }) {
            throw fault("no record of it can report problem \(problem.number) (\(problem.rule))")
        }
        var needed = record.required + record.consents.map(\.column)
        needed += record.spellings.map(\.column) + plausibility.narrower.flatMap { [$0.column, $0.by] }
        needed += plausibility.placeholders.flatMap(\.conditions).map(\.column)
        if case .number(let scheme, let column) = kind.scope {
            guard Scope.isScheme(scheme), scheme != Scope.plmn else {
                throw fault("\(scheme) names no scheme of scopes")
            }
            if let range = record.field(column)?.range,
                !Scope.numbers.contains(range.lowerBound) || !Scope.numbers.contains(range.upperBound)
            {
                throw fault("column \(column) has numbers beyond those of scopes, \(Scope.numbers)")
            }
            needed.append(column)
        }
        if case .number(let scheme, let column) = kind.subject {
            guard Scope.isScheme(scheme), scheme != "cell" else { throw fault("\(scheme) names no scheme of subjects") }
            needed.append(column)
        }
        for column in needed where record.field(column) == nil {
            throw fault("column \(column) is none of its own")
        }
    }

    private static func checkMetrics(_ programme: Programme) throws(ProgrammeError) {
        var last = -1
        guard programme.metrics.count <= most else {
            throw ProgrammeError(programme.name, "\(programme.metrics.count) metrics; it may have \(most)")
        }
        for metric in programme.metrics {
            func fault(_ message: String) -> ProgrammeError {
                ProgrammeError(programme.name, "metric \(metric.name) (\(metric.number)): \(message)")
            }
            guard Int(metric.number) > last else { throw fault("metrics ascend by number, each number once") }
            last = Int(metric.number)
            guard (programme.number == Programme.qoeNumber) != ownMetrics.contains(metric.number) else {
                throw fault("a metric of a programme has a number from 64 to 255, those of qoe from 0 to 63")
            }
            let counted = programme.kinds.filter { $0.isCounted && metric.isOf($0.kind.id) }.map(\.kind)
            let fields = counted.compactMap { $0.field(metric.column) }
            guard let field = fields.first else {
                throw fault("column \(metric.column) is in no kind of the programme that counts")
            }
            guard fields.allSatisfy({ $0 == field }) else {
                throw fault("column \(metric.column) is another field in each kind; it has to name its kind")
            }
            guard field.storage == .integer || field.storage == .delta else {
                throw fault("\(field.name) is no number")
            }
        }
    }

    private static func checkCells(_ programme: Programme) throws(ProgrammeError) {
        try checkStrata(programme)
        guard (Quadkey.coarsestLevel...Programme.finestLevel).contains(programme.finestLevel) else {
            throw ProgrammeError(
                programme.name,
                "finest level \(programme.finestLevel); it may be \(Quadkey.coarsestLevel) to \(Programme.finestLevel)")
        }
        let scopes = Set(programme.kinds.filter(\.isCounted).map(\.scope))
        guard scopes.count <= 1 else {
            throw ProgrammeError(programme.name, "kinds that count together belong to scopes of one kind")
        }
    }

    private static func checkStrata(_ programme: Programme) throws(ProgrammeError) {
        let strata = programme.strata
        func fault(_ message: String) -> ProgrammeError { ProgrammeError(programme.name, "strata: \(message)") }
        guard (1...most).contains(strata.names.count) else {
            throw fault("\(strata.names.count) of them; it may have 1 to \(most)")
        }
        for code in strata.codes + [strata.withoutNetwork].compactMap(\.self) where code >= strata.names.count {
            throw fault("code \(code) has no name; the last one is \(strata.names.count - 1)")
        }
        guard let column = strata.column else { return }
        let fields = programme.kinds.filter(\.isCounted).compactMap { $0.kind.field(column) }
        guard !fields.isEmpty, fields.allSatisfy({ $0.storage == .integer }) else {
            throw fault("column \(column) is no column of small numbers in a kind that counts")
        }
    }
}

/// Why programmes cannot run together; the service that is given them does not start.
public struct ProgrammeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Name of the programme.
    public let programme: String
    /// What is wrong, with the names of what it is about.
    public let message: String

    public init(_ programme: String, _ message: String) {
        self.programme = programme
        self.message = message
    }

    public var description: String { "programme \(programme): \(message)" }
}
