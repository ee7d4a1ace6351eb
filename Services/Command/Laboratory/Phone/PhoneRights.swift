import Foundation
import NkulDevice
import ServiceKit

/// What the person of `nkul phone` asks for when the run is over.
struct PhoneRights {
    let device: Device
    /// Where a copy of everything goes; nil: none is wanted.
    let copyFile: String?
    let erases: Bool
    /// How long a copy or an erasure is waited for.
    private static let patience: Duration = .seconds(120)

    private struct Taken: Decodable { let request_id: String }
    private struct Standing: Decodable { let state: String }

    /// Asks, and waits until it is done.
    ///
    /// - Throws: ``ServiceError`` with what the service said.
    func exercise() async throws {
        if let copyFile {
            let id = try await take(.copyEverything)
            let copy = try await wait(.copy(id)) { _ in true }
            do { try Data(copy).write(to: URL(fileURLWithPath: copyFile)) } catch {
                throw ServiceError(.failed, "\(copyFile): \(error.localizedDescription)")
            }
        }
        if erases {
            let id = try await take(.eraseEverything)
            _ = try await wait(.erasure(id)) { body in
                (try? JSONDecoder().decode(Standing.self, from: Data(body)))?.state == "completed"
            }
        }
    }

    private func take(_ wish: PersonalRequest) async throws -> String {
        let answer = try await device.ask(wish)
        guard case .done(let body) = answer, let taken = try? JSONDecoder().decode(Taken.self, from: Data(body)) else {
            throw Self.failure(wish, answer)
        }
        return taken.request_id
    }

    private func wait(_ wish: PersonalRequest, until isDone: ([UInt8]) -> Bool) async throws -> [UInt8] {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            let answer = try await device.ask(wish)
            switch answer {
            case .done(let body) where isDone(body): return body
            case .done, .notYet, .later, .noAnswer: try await Task.sleep(for: .seconds(1))
            case .refused, .notEnrolled: throw Self.failure(wish, answer)
            }
        }
        throw ServiceError(.failed, "\(wish): it was not done within \(Self.patience)")
    }

    private static func failure(_ wish: PersonalRequest, _ answer: PersonalAnswer) -> ServiceError {
        let cause =
            switch answer {
            case .refused(let code, let detail): "refused: \(code)\(detail.map { ", \($0)" } ?? "")"
            case .notEnrolled: "the phone is not enrolled"
            case .noAnswer: "no answer"
            case .later(let seconds): "not now\(seconds.map { ", in \($0) s" } ?? "")"
            case .notYet, .done: "the answer is not read"
            }
        return ServiceError(.failed, "\(wish): \(cause)")
    }
}
