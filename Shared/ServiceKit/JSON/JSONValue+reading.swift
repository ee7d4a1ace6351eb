extension JSONValue {
    /// A member of an object; nil if there is none, it is null, or this is no object.
    public subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self, let member = members[name], member != .null else { return nil }
        return member
    }

    public var string: String? { if case .string(let value) = self { value } else { nil } }

    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    public var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
}
