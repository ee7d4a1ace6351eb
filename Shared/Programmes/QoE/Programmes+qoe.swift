public import Models

extension Programmes {
    /// Mobile QoE alone. That it passes the check is tested: nothing in it depends on where it runs.
    public static let qoe: Programmes = {
        do { return try Programmes([.qoe]) } catch { preconditionFailure("\(error)") }
    }()
}
