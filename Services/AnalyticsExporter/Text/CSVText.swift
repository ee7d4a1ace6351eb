/// Values of CSV as RFC 4180 has them.
enum CSVText {
    /// Appends `text`, in quotation marks if it has a comma, a quotation mark or a line end.
    static func append(_ text: some Collection<UInt8>, to out: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        guard text.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D }) else {
            return out.append(contentsOf: text)
        }
        out.append(quote)
        for byte in text {
            if byte == quote { out.append(quote) }
            out.append(byte)
        }
        out.append(quote)
    }
}
