internal import Synchronization

/// Which places of the order of arrival each day file holds: written by the one writer after its commits, read by
/// queries. What is not in it yet is not visible yet, so that a cursor never passes a row that is still being written.
///
/// Thread-safe.
package final class RawRowIndex: Sendable {
    /// A day file and the places of its blocks.
    package struct Span: Equatable, Sendable {
        package let day: String
        var sequences: ClosedRange<Int64>
    }

    private let spans = Mutex<[String: ClosedRange<Int64>]>([:])

    /// The day files that hold something, by their first place.
    package var current: [Span] {
        spans.withLock { spans in
            spans.map { Span(day: $0.key, sequences: $0.value) }.sorted {
                $0.sequences.lowerBound < $1.sequences.lowerBound
            }
        }
    }

    /// Whether a day's file is there.
    package func holds(_ day: String) -> Bool { spans.withLock { $0[day] != nil } }

    /// Forgets a day, whose file is about to go.
    func remove(_ day: String) { spans.withLock { _ = $0.removeValue(forKey: day) } }

    /// The last place of all, 0 if there is none.
    var last: Int64 { spans.withLock { $0.values.map(\.upperBound).max() ?? 0 } }

    /// Adds places, of several files at once.
    func add(_ added: [Span]) {
        spans.withLock { spans in
            for span in added {
                let known = spans[span.day]
                spans[span.day] =
                    min(
                        known?.lowerBound ?? .max, span.sequences.lowerBound)...max(
                        known?.upperBound ?? 0, span.sequences.upperBound)
            }
        }
    }
}
