internal import ExporterRows
internal import Foundation

/// Counts in the comments of how many devices a word is.
///
/// A word is a run of at least three letters, whose case and accents do not matter; what says nothing by itself (`the`, `avec`) is left out.
struct CommentWords {
    /// Words of fewer devices are not told: what few wrote may be a name or a number.
    static let fewestDevices = 10
    /// The most words that are told.
    static let most = 100

    struct Word: Equatable, Sendable {
        /// As it was written first.
        let text: String
        let devices: Int
    }

    /// By the number of devices, descending, then by text.
    let words: [Word]

    /// Memory grows with the words of all comments, 16 bytes each.
    init(_ comments: [RawRowComments.Comment]) {
        var uses: [(hash: Int, device: Int64)] = []
        for comment in comments {
            for word in Self.words(of: comment.text) { uses.append((Self.folded(word).hashValue, comment.device)) }
        }
        uses.sort { ($0.hash, $0.device) < ($1.hash, $1.device) }
        var devices: [Int: Int] = [:], start = 0
        while start < uses.count {
            var end = start + 1, count = 1
            while end < uses.count, uses[end].hash == uses[start].hash {
                if uses[end].device != uses[end - 1].device { count += 1 }
                end += 1
            }
            if count >= Self.fewestDevices { devices[uses[start].hash] = count }
            start = end
        }
        var found: [Int: Word] = [:]
        for comment in comments where found.count < devices.count {
            for word in Self.words(of: comment.text) {
                let hash = Self.folded(word).hashValue
                guard found[hash] == nil, let count = devices[hash] else { continue }
                found[hash] = Word(text: word.lowercased(), devices: count)
            }
        }
        words = Array(
            found.values.sorted { ($0.devices, $1.text) > ($1.devices, $0.text) }.prefix(Self.most))
    }

    /// The words of a text that say something.
    static func words(of text: String) -> [String] {
        text.split { !$0.isLetter }.map(String.init).filter { $0.count >= 3 && !isFiller($0) }
    }

    private static func folded(_ word: String) -> String {
        word.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    private static func isFiller(_ word: String) -> Bool { fillers.contains(folded(word)) }

    /// English and French, without accents.
    private static let fillers = Set(
        """
        about after again all also and any are because been before being but can cannot could did does doing don for from get getting
        had has have her here him his how into its just like more most much not now off only other our out over really she should
        since some such than that the their them then there these they this those too until very was were what when where which while
        who why will with would you your
        ai aie alors apres aux avec avoir car cela ces cet cette chez comme dans depuis des deux donc elle elles encore est et etait
        etre eux fait faire fois ici ils jusqu les leur leurs lui mais meme mes moi mon nos notre nous ont par parce pas pendant peu
        peut plus pour pourquoi quand que quel quelle qui sans ses soit son sont sous suis sur tes toi ton tous tout toute toutes
        tres trop une vos votre vous
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
