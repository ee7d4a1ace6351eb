import Foundation
import PipelineTesting
import Testing

/// A field recording on its way into a pack: its phones are enrolled, its uploads cut, and the model knows what must come
/// of it.
struct FieldLoad {
    let recording: FieldRecording
    let fleet: PhoneFleet
    private let now: Int
    /// By phone, the purposes that its owner does not agree to.
    private let withheld: [Set<String>]

    /// - Parameters:
    ///   - port: where phones send to; ingest itself if nil. They enrol there directly.
    ///   - size: records in an upload.
    ///   - isNaming: whether records without a network are given one.
    ///   - withheld: the purposes that a phone's owner does not agree to, by its place in the recording.
    init(
        _ pack: ServicePack, seed: UInt64, mostRecords: Int = .max, size: Int, port: Int? = nil,
        naming isNaming: Bool = false, withholding withheld: (_ phone: Int) -> Set<String> = { _ in [] }
    ) throws {
        now = Int(Date().timeIntervalSince1970 * 1000)
        recording = try FieldRecording(seed: seed, now: now, mostRecords: mostRecords, naming: isNaming)
        let purposes = recording.phones.indices.map(withheld)
        let phones = try purposes.map { try EnrolledPhone.enrolled(port: pack.ingestPort, withholding: $0) }
        self.withheld = purposes
        let uploads = PhoneFleet.uploads(of: recording.phones, size: size, seed: 3)
        fleet = PhoneFleet(phones: phones, uploads: uploads, port: port ?? pack.ingestPort)
    }

    /// The model after the same uploads; phones are numbered from 1 as they enrolled.
    var model: ReferenceModel {
        var model = ReferenceModel()
        for (phone, purposes) in withheld.enumerated() where !purposes.isEmpty {
            model.enrol(device: phone + 1, purposes: ReferenceModel.allPurposes.subtracting(purposes), at: now)
        }
        for upload in fleet.uploads { _ = model.submit(upload.records, device: upload.phone + 1, receivedAt: now) }
        return model
    }

    /// Waits until all is sent, and nothing went wrong for good.
    func expectSent() {
        #expect(fleet.reaches(1) || !fleet.problems.isEmpty, "\(fleet.acknowledged) of \(fleet.uploads.count) uploads")
        #expect(fleet.problems.isEmpty, "\(fleet.problems.prefix(3))")
    }

    /// Sends everything once more, without anything in the way.
    func repeated(in pack: ServicePack) -> FieldLoad {
        let again = PhoneFleet(phones: fleet.phones, uploads: fleet.uploads, port: pack.ingestPort)
        return FieldLoad(recording: recording, fleet: again, now: now, withheld: withheld)
    }

    private init(recording: FieldRecording, fleet: PhoneFleet, now: Int, withheld: [Set<String>]) {
        self.withheld = withheld
        self.recording = recording
        self.fleet = fleet
        self.now = now
    }
}
