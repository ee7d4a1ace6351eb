extension ErasureScope {
    /// The cell in an alarm's identifier, `<plmn>-<quadkey>-<raised at>`; nil if the alarm has none.
    public static func cell(ofAlarm alarm: String) -> Quadkey? {
        let parts = alarm.split(separator: "-")
        return parts.count > 1 ? Quadkey(text: String(parts[1])) : nil
    }
}
