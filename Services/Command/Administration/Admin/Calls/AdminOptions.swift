import ArgumentParser

/// The options of every command below `nkul admin`.
struct AdminOptions: ParsableArguments {
    @OptionGroup var settings: CommandSettings

    @Flag(name: .long, help: "One line of JSON.")
    var json = false
}
