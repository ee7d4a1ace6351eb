import Foundation
import Laboratory
import Models
import NIOCore
import ServiceKit

/// An enrolled device.
struct Phone: Sendable {
    let number: Int
    let token: String

    /// Enrols phones and gives them in shuffled order.
    static func enrol(_ count: Int, at address: HostPort) async throws -> [Phone] {
        struct Answer: Decodable { let token: String }
        let pool = try LoadPool(host: address.host, port: address.port, connections: 64)
        let body = """
            {"platform":"bench","app_version":"1","policy_version":"1","consent":{"measurement":true,"location_precise":true,\
            "location_coarse":true,"call_events":true,"rewards":true,"operator_sharing":true,"research":true}}
            """
        let request = LoadRequest(
            method: "POST", host: address.description, path: "/v1/devices",
            headers: [("Content-Type", "application/json")],
            body: Array(body.utf8))
        var phones = try await withThrowingTaskGroup(of: [Phone].self) { group in
            for worker in 0..<128 {
                group.addTask {
                    var phones: [Phone] = []
                    for number in stride(from: worker, to: count, by: 128) {
                        var answer = try await pool.send(request)
                        while answer.status == 503 || answer.status == 429 {
                            try await Task.sleep(for: .milliseconds(100))
                            answer = try await pool.send(request)
                        }
                        guard let token = try? JSONDecoder().decode(Answer.self, from: Data(answer.text.utf8)).token
                        else {
                            throw BenchError("enrolment was answered \(answer.status) \(answer.text)")
                        }
                        phones.append(Phone(number: number, token: token))
                    }
                    return phones
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        await pool.shutdown()
        var random = SplitMix64(seed: 50_000)
        phones.sort { $0.number < $1.number }
        phones.shuffle(using: &random)
        return phones
    }
}
