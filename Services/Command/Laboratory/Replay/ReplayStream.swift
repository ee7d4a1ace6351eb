import Models

/// The rows of all recordings of a run, in the order of their distance from their recording's end.
struct ReplayStream {
    struct Item {
        let play: Int
        /// Number in its recording, from 0.
        let number: Int
        let row: RecordingRow
        /// When it is sent, in milliseconds before the recording's end, negative or 0.
        let time: Int64
    }

    private struct Source {
        var reader: RecordingReader
        let end: UnixMilliseconds
        var number = 0
        var next: RecordingRow?
    }

    private var sources: [Source]

    init(_ surveys: [RecordingSurvey]) throws {
        sources = try surveys.map { survey in
            var reader = try RecordingReader(path: survey.path)
            let first = try reader.next()
            return Source(reader: reader, end: survey.end, next: first)
        }
    }

    mutating func next() throws -> Item? {
        var nearest: (play: Int, time: Int64)?
        for (play, source) in sources.enumerated() {
            guard let row = source.next else { continue }
            let time = row.due - source.end
            if nearest == nil || time < nearest!.time { nearest = (play, time) }
        }
        guard let nearest, let row = sources[nearest.play].next else { return nil }
        let item = Item(play: nearest.play, number: sources[nearest.play].number, row: row, time: nearest.time)
        sources[nearest.play].number += 1
        sources[nearest.play].next = try sources[nearest.play].reader.next()
        return item
    }
}
