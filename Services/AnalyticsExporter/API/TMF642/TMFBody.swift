internal import ExporterStores
internal import ExporterSupport
internal import HTTPTypes
internal import Hummingbird
internal import Models
internal import NIOCore
internal import ServiceKit

/// The JSON object in the body of a call of TMF642. Faults are 400, which is all that its document knows, and name the member.
struct TMFBody {
    static let mostBytes = 65_536
    /// Members that say what a document is; they change nothing.
    static let meta = ["@type", "@baseType", "@schemaLocation"]

    let members: [String: JSONValue]
    /// What stands before a name in faults.
    private let prefix: String

    init(_ request: Request) async throws {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.mostBytes)
        } catch is NIOTooManyBytesError {
            throw ExporterAPIError(.contentTooLarge, "too_large", "expected at most \(Self.mostBytes) bytes")
        }
        guard let value = try? JSONValue(bytes: Array(body.readableBytesView)), let members = value.object else {
            throw ExporterAPIError(.badRequest, "invalid_body", "expected a JSON object")
        }
        self.init(members)
    }

    init(_ members: [String: JSONValue], in prefix: String = "") {
        self.members = members
        self.prefix = prefix
    }

    /// - Parameter untaken: known members that are texts and change nothing.
    /// - Throws: for the first member that is not known, or is no text although nothing is taken of it.
    func check(known: [String], untaken: [String] = []) throws(ExporterAPIError) {
        let known = known + untaken
        if let other = members.keys.sorted().first(where: { !known.contains($0) && !Self.meta.contains($0) }) {
            throw fault(other, "cannot be given; allowed: \(known.joined(separator: ", "))")
        }
        try checkTexts(untaken + Self.meta)
    }

    private func checkTexts(_ names: [String]) throws(ExporterAPIError) {
        for name in names where members[name].map({ $0.string == nil }) ?? false {
            throw fault(name, "expected text, of which nothing is taken")
        }
    }

    /// A member that is an array and changes nothing.
    func checkArray(_ name: String) throws(ExporterAPIError) {
        if let value = members[name], value.array == nil {
            throw fault(name, "expected an array, of which nothing is taken")
        }
    }

    /// A text that people read; nil if there is none.
    func text(_ name: String) throws(ExporterAPIError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string, AlarmCommandBody.texts.contains(text.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control || $0 == "\n" })
        else { throw fault(name, "expected 1…1000 characters, none of them control") }
        return text
    }

    func choice(_ name: String, of words: [String]) throws(ExporterAPIError) -> String? {
        guard let value = members[name] else { return nil }
        guard let word = value.string, words.contains(word) else {
            throw fault(name, "expected \(words.joined(separator: " or "))")
        }
        return word
    }

    func version() throws(ExporterAPIError) -> Int64? {
        guard let value = members["handlingVersion"] else { return nil }
        guard let version = value.integer, version >= 0 else {
            throw fault("handlingVersion", "expected that of the alarm as it was read")
        }
        return version
    }

    /// A comment of TMF642. Who says it and when is not taken from it.
    func comment() throws(ExporterAPIError) -> (text: String, system: String?) {
        try check(known: ["comment", "systemId"], untaken: ["userId", "time"])
        guard let said = try text("comment") else { throw fault("comment", "is needed") }
        return (said, try text("systemId"))
    }

    /// The alarm that a member refers to.
    func reference(_ name: String) throws(ExporterAPIError) -> String {
        guard let value = members[name] else { throw fault(name, "is needed") }
        return try reference(value, name)
    }

    /// The alarms that a member refers to, each once and none of them the one they are put under.
    func references(_ name: String, besides parent: String) throws(ExporterAPIError) -> [String] {
        let most = AlarmHandling.mostChildren
        guard let values = members[name]?.array, (1...most).contains(values.count) else {
            throw fault(name, "expected an array of 1…\(most) alarms, each with its id")
        }
        var alarms: [String] = []
        for (index, value) in values.enumerated() {
            let alarm = try reference(value, "\(name)[\(index)]")
            guard alarm != parent, !alarms.contains(alarm) else {
                throw fault("\(name)[\(index)].id", "\"\(alarm)\" is the parent, or stands there twice")
            }
            alarms.append(alarm)
        }
        return alarms
    }

    private func reference(_ value: JSONValue, _ name: String) throws(ExporterAPIError) -> String {
        guard let alarm = value["id"]?.string, AlarmService.isIdentifier(alarm) else {
            throw fault("\(name).id", "expected the id of an alarm")
        }
        return alarm
    }

    /// The alarms that an `alarmPattern` means: one of its elements at least.
    func patterns() throws -> [AlarmFilter] {
        guard let patterns = members["alarmPattern"]?.array, (1...20).contains(patterns.count) else {
            throw fault("alarmPattern", "expected an array of 1…20 alarms with the attributes that are meant")
        }
        return try patterns.enumerated().map { index, pattern in
            let place = "alarmPattern[\(index)]"
            guard let members = pattern.object else { throw fault(place, "expected an object") }
            let pairs = try TMFBody(members, in: place + ".").pairs()
            let filter = try AlarmFilter(pairs, in: place + ".")
            guard !filter.isEmpty else {
                throw fault(place, "means every alarm; name an attribute, as \"state\":\"raised,updated\"")
            }
            return filter.ofOpenUnlessNamed
        }
    }

    /// The members of an alarm as the list is filtered by them.
    private func pairs() throws(ExporterAPIError) -> [(key: String, value: String)] {
        var pairs: [(key: String, value: String)] = []
        try checkTexts(Self.meta)
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where !Self.meta.contains(name) {
            switch (name, value) {
            case (_, .string(let text)): pairs.append((name, text))
            case ("alarmedObject", .object(let object)) where Set(object.keys) == ["id"] && object["id"]?.string != nil:
                pairs.append(("alarmedObject.id", object["id"]!.string!))
            case ("place", .array(let places)) where places.count == 1 && places[0]["id"]?.string != nil:
                pairs.append(("place", places[0]["id"]!.string!))
            default: throw fault(name, "nothing that alarms are found by")
            }
        }
        return pairs
    }

    func fault(_ member: String, _ detail: String) -> ExporterAPIError {
        ExporterAPIError(.badRequest, "invalid_member", "\(prefix)\(member): \(detail)", field: prefix + member)
    }
}

/// `fields`, `offset` and `limit` of TMF630, and what else a call understands.
struct TMFQuery {
    static let limits = 1...1_000

    let fields: Set<String>?
    let offset, limit: Int
    /// The other parameters.
    let others: [(key: String, value: String)]

    /// - Parameter pages: whether `offset` and `limit` can be given.
    init(_ request: Request, pages: Bool) throws(ParameterFault) {
        let all = request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }
        let own = pages ? ["fields", "offset", "limit"] : ["fields"]
        let parameters = try QueryParameters(all.filter { own.contains($0.key) }, known: own)
        others = all.filter { !own.contains($0.key) }
        fields = parameters.text("fields").map { Set($0.split(separator: ",").map(String.init)) }
        offset = try parameters.integer("offset", in: 0...1_000_000_000) ?? 0
        limit = try parameters.integer("limit", in: Self.limits) ?? 100
    }

    /// A document with the fields that were asked for; `id` and `href` are always there.
    func shown(_ document: [UInt8]) throws -> [UInt8] {
        guard let fields, let members = try JSONValue(bytes: document).object else { return document }
        let kept = members.filter { fields.contains($0.key) || $0.key == "id" || $0.key == "href" }
        return try SortedJSON.bytes(of: JSONValue.object(kept))
    }

    /// Some of so many documents.
    func response(_ documents: [[UInt8]], of count: Int) throws -> Response {
        var text: [UInt8] = [UInt8(ascii: "[")]
        for (index, document) in documents.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text.append(contentsOf: try shown(document))
        }
        text.append(UInt8(ascii: "]"))
        var response = Self.json(text)
        response.headers[.totalCount] = String(count)
        response.headers[.resultCount] = String(documents.count)
        return response
    }

    static func json(_ text: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: text)))
    }
}

extension HTTPField.Name {
    fileprivate static let totalCount = HTTPField.Name("X-Total-Count")!
    fileprivate static let resultCount = HTTPField.Name("X-Result-Count")!
}
