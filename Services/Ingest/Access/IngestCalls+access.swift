internal import Foundation
internal import Models
internal import ServiceKit
internal import Storage

extension IngestCalls {
    /// Takes a wish for a copy for a subscriber who asked an operator, by letter or in person.
    func requestAccess(_ arguments: JSONValue) async throws -> JSONValue {
        let device = try await device(arguments)
        let change = AccessChange(
            device: UInt64(device.ordinal), request: UUID().uuidString.lowercased(), key: RecipientSeal.newKey(),
            source: .operatorAdmin)
        switch await withUnsafeContinuation({ queue.offer(.access(change, $0)) }) {
        case .success(let ticket):
            return try JSONValue(bytes: AccessStandingAnswer(ticket: ticket, missing: nil).body)
        case .failure(let problem): throw ControlError.refused(problem.detail ?? problem.title)
        }
    }
}
