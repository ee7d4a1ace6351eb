/// What services tell each other about sites, their sensors and their doors. Documents of people travel on `operations`, what the
/// router has decided on `alerts`; all are JSON by key, and without a document the key is gone. The programme `alarms` says what
/// the documents mean.
extension RecordKind {
    /// A place with sensors and doors, on the `operations` lane, keyed by its number.
    public static let site = document(50, "site")
    /// A sensor of a site, on the `operations` lane, keyed by its number.
    public static let sensor = document(51, "sensor")
    /// A door of a site, on the `operations` lane, keyed by its number.
    public static let door = document(52, "door")
    /// Which contact may open a door, and when, on the `operations` lane, keyed by its name.
    public static let doorKey = document(53, "door_key")
    /// What a contact wants a site to do, on the `operations` lane, keyed by its task. Without document: it is decided.
    public static let siteCommand = document(54, "site_command")
    /// What became of such a command, on the `alerts` lane, keyed by its task. Without document: forgotten.
    public static let siteTask = document(55, "site_task")
    /// What a door's device is to do now, on the `alerts` lane, keyed by its task. Without document: it is over.
    public static let doorOrder = document(56, "door_order")
    /// How a sensor is, on the `alerts` lane, keyed by its number. Without document: there is no such sensor any more.
    public static let sensorState = document(57, "sensor_state")

    private static func document(_ id: UInt8, _ name: String) -> RecordKind {
        RecordKind(
            id: id, name: name, version: 1, fields: [],
            serverFields: [
                Field(ColumnID.key, "key", .text(maximumCharacters: 64)),
                Field(ColumnID.document, "document", .text(maximumCharacters: .max)),
            ])
    }
}
