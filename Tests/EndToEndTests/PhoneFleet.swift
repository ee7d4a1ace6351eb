import Foundation
import PipelineTesting
import Synchronization

/// Phones that send uploads over a few threads at a steady pace.
final class PhoneFleet: Sendable {
    /// One upload: whose, and which of its records.
    struct Upload: Sendable {
        let phone: Int
        let records: [ReferenceRecord]
        let key: String?
    }

    let uploads: [Upload]
    let phones: [EnrolledPhone]
    private let port: Int
    private let next = Atomic<Int>(0)
    private let pause = Atomic<UInt32>(0)
    private let receipts: Mutex<[Int: [String]]> = Mutex([:])
    private let failures: Mutex<[String]> = Mutex([])

    /// How many uploads are acknowledged.
    var acknowledged: Int { receipts.withLock { $0.count } }
    /// What went wrong for good.
    var problems: [String] { failures.withLock { $0 } }
    /// True once every upload was acknowledged or went wrong for good.
    var isDone: Bool { acknowledged + problems.count == uploads.count }

    init(phones: [EnrolledPhone], uploads: [Upload], port: Int) {
        self.phones = phones
        self.uploads = uploads
        self.port = port
    }

    /// Cuts each phone's records into uploads of up to `size` of one kind; a third of the uploads has a key.
    static func uploads(of phones: [[ReferenceRecord]], size: Int, seed: UInt64) -> [Upload] {
        var random = SeededRandom(seed: seed)
        var uploads: [Upload] = []
        for (phone, records) in phones.enumerated() {
            for kind in ["report", "feedback"] {
                var rest = records.filter { $0.kind == kind }[...]
                while !rest.isEmpty {
                    let key = random.chance(333) ? "upload-\(uploads.count)" : nil
                    uploads.append(Upload(phone: phone, records: Array(rest.prefix(size)), key: key))
                    rest = rest.dropFirst(size)
                }
            }
        }
        return uploads.shuffled(using: &random)
    }

    /// Sends everything on `threads` threads, `pause` microseconds between two uploads of a thread; returns at once.
    func start(threads: Int, pause: UInt32) {
        self.pause.store(pause, ordering: .relaxed)
        for _ in 0..<threads {
            Thread.detachNewThread { self.sendUploads() }
        }
    }

    /// Sends what is left without pauses.
    func hurry() {
        pause.store(0, ordering: .relaxed)
    }

    /// Waits until part of the uploads, 0…1, is acknowledged, two minutes at most; false if it is not then.
    func reaches(_ part: Double) -> Bool {
        becomesTrue(within: 120) { Double(acknowledged) >= part * Double(uploads.count) }
    }

    private func sendUploads() {
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < uploads.count else { return }
            let upload = uploads[index]
            do {
                let statuses = try phones[upload.phone].send(upload.records, key: upload.key, port: port)
                receipts.withLock { $0[index] = statuses }
            } catch {
                failures.withLock { $0.append("upload \(index): \(error)") }
            }
            usleep(pause.load(ordering: .relaxed))
        }
    }
}
