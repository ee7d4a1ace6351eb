public import Models

/// From how many devices on an alarm is how severe.
public struct SeverityStep: Sendable, Hashable {
    public let devices: Int
    public let severity: Severity
}

extension [SeverityStep] {
    /// The severity of an alarm of so many devices: that of the last step reached, at least the first.
    func severity(_ devices: Int) -> Severity {
        (last { $0.devices <= devices } ?? first)?.severity ?? .indeterminate
    }

    /// The fewest devices that are more severe than a severity; nil if none are.
    func devices(above severity: Severity) -> Int? { first { $0.severity > severity }?.devices }
}
