import IngestUploads
import QoE
import ServiceKit
import Testing

@testable import IngestAPI
@testable import IngestSupport

/// Compares what the device API answers in all suites with its OpenAPI document: status, and the codes of problems.
enum DocumentedAnswers {
    /// Answers that belong to no call: there is none at the path, or not by this method.
    private static let elsewhere: Set<String> = ["not_found", "method_not_allowed", "unknown_method"]

    /// Records an issue if an answer is not in the document.
    static func check(_ method: String, _ target: String, _ status: Int, _ code: String?) {
        let path = target.prefix { $0 != "?" }, route = DeviceRoute(path)
        let known = method == "HEAD" ? "GET" : method
        guard
            let operation = DeviceOperation.all(.qoe).first(where: {
                ($0.recordPath.map { $0 == path } ?? ($0.route == route)) && $0.method == known
            })
        else {
            let isElsewhere = code.map(elsewhere.contains) ?? (method == "HEAD" && [404, 405].contains(status))
            #expect(isElsewhere, "\(method) \(target): \(status) \(code ?? "")")
            return
        }
        // Answers to HEAD have no body that says a code.
        if method == "HEAD", status >= 400 {
            #expect(operation.allProblems.contains { $0.status == status }, "\(method) \(target): \(status)")
        } else if let code {
            let codes = operation.allProblems
            #expect(
                codes.contains { $0.rawValue == code && $0.status == status },
                "\(method) \(target): \(status) \(code) is not documented")
        } else {
            #expect(operation.answers.contains { $0.status == status }, "\(method) \(target): \(status)")
        }
    }
}
