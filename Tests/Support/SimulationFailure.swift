/// A difference between the product and the model, or a promise of a lane that was not kept.
public struct SimulationFailure: Error, CustomStringConvertible {
    /// What differed.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
