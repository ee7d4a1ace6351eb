internal import ExporterStores
internal import Models

/// A page of releases: they are the same for whoever asks.
struct ReleaseListDocument: Encodable {
    /// When it was asked.
    let at_ms: UnixMilliseconds
    let releases: [ReleaseEntry]
    /// What was made last of each class, with the reason where that is nothing.
    let rounds: [ReleaseRoundDocument]
    /// Why there is none of those that were asked for; left out where there are.
    let none: Missing?
    /// The `cursor` of the next page; left out on the last.
    let next: String?

    /// Why a list is empty.
    enum Missing: String, Encodable, CaseIterable {
        /// Of the time that was asked for nothing was made yet: no hour of it has been over for an hour, and no day was sealed.
        case nothingYet = "nothing_yet"
        /// Of what was asked for no release has k devices that count.
        case tooFewDevices = "too_few_devices"
        /// All of the time that was asked for belongs to days that had begun before the home was restored.
        case restored
    }

    /// - Parameter made: what was made of the time that was asked for.
    init(
        at: UnixMilliseconds, _ found: [ReleaseDocument], rounds: [ReleaseRoundDocument], made: ReleaseStore.Rounds,
        limit: Int, isFirst: Bool
    ) {
        at_ms = at
        releases = found.prefix(limit).map(ReleaseEntry.init)
        self.rounds = rounds
        next = found.count > limit ? found[limit - 1].head.id : nil
        if !found.isEmpty || !isFirst {
            none = nil
        } else {
            switch made {
            case .notYet: none = .nothingYet
            case .restored: none = .restored
            case .made: none = .tooFewDevices
            }
        }
    }
}

/// A release in a list.
struct ReleaseEntry: Encodable {
    let id: String
    let `class`: String
    let programme, network: String
    let from_ms, to_ms: UnixMilliseconds
    let k: Int
    let trust: String
    let atoms: Int
    let bytes: Int64
    let sha256: String
    let made_at_ms: UnixMilliseconds

    init(_ document: ReleaseDocument) {
        let head = document.head
        id = head.id
        `class` = head.releaseClass
        (programme, network) = (head.programme, head.network)
        (from_ms, to_ms, made_at_ms) = (head.fromMs, head.toMs, head.madeAtMs)
        (k, trust, atoms) = (head.k, head.trust, head.atoms)
        (bytes, sha256) = (document.bytes, document.sha256)
    }
}
