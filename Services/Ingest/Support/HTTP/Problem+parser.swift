package import IngestUploads
package import NIOHTTP1

extension Problem {
    /// What the parser of requests could not take.
    package init(_ error: HTTPParserError) {
        switch error {
        case .invalidMethod: self.init(.unknownMethod)
        case .headerOverflow: self.init(.headerTooLarge)
        default: self = .malformedRequest
        }
    }
}
