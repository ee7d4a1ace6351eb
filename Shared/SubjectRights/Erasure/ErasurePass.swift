internal import Lanes
internal import Models

/// One run through a service's tables and journals, for all subjects that waited together.
struct ErasurePass {
    let subjects: [ErasureSubject]
    let filter: ErasureFilter
    var areRecordsErased = false
    var journals: [JournalErasure]

    init(_ subjects: [ErasureSubject], journals: Int) {
        self.subjects = subjects
        filter = ErasureFilter(subjects)
        self.journals = [JournalErasure](repeating: JournalErasure(), count: journals)
    }
}
