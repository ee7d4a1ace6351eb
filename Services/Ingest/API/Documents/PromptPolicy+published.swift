internal import Foundation
internal import Models
internal import QoE

extension PromptPolicy {
    /// Reads a policy as it comes from the `operations` lane; nil if it is none. Members of newer programs are passed over.
    init?(published document: ArraySlice<UInt8>) {
        guard let policy = try? JSONDecoder().decode(PromptPolicy.self, from: Data(document)),
            (try? policy.check()) != nil
        else { return nil }
        self = policy
    }
}
