import DriveTesting
import Glibc

@main struct Main {
    static func main() async {
        let options: Options
        do { options = try Options(CommandLine.arguments.dropFirst()) } catch {
            print("\(error)\n\n\(Options.help)")
            exit(64)
        }
        let tally = await SeedRange(options).run()
        print(tally)
        exit(tally.violations.isEmpty ? 0 : 1)
    }
}
