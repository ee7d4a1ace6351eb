import Command

@main
enum Program {
    static func main() async { await NkulCommand.start() }
}
