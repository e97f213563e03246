import DriveCore
import Testing

struct TouchedNamesTests {
    @Test func namesAreKeptByFolder() {
        var touched = TouchedPaths()
        #expect(touched.isEmpty && touched.folders.isEmpty)
        touched.insert("x", in: "a")
        touched.insert("y", in: "a")
        touched.insert(whole: "b")
        #expect(touched.folders == ["a", "b"])
        #expect(touched.names(in: "a") == ["x", "y"])
        #expect(touched.names(in: "b") == nil)
        #expect(touched.names(in: "c") == [])
        #expect(touched.covers("a/x") && !touched.covers("a/z"))
        #expect(touched.covers("b/z") && !touched.covers("b/z/deep"))
        #expect(!touched.covers("") && !touched.covers("c/x"))
    }

    @Test func aWholeFolderTakesItsNamesIn() {
        var touched = TouchedPaths()
        touched.insert("x", in: "a")
        touched.insert(whole: "a")
        touched.insert("y", in: "a")
        #expect(touched == TouchedNames(whole: ["a"]))
        var names = TouchedPaths()
        names.insert("z", in: "a")
        names.insert("z", in: "b")
        #expect(touched.union(names).names(in: "a") == nil)
        #expect(names.union(touched) == touched.union(names))
        #expect(names.widened == TouchedNames(whole: ["a", "b"]))
    }

    @Test func veryManyNamesAreTheFolder() {
        var touched = TouchedPaths()
        for n in 0..<TouchedPaths.mostNames { touched.insert(FileName("\(n)"), in: "a") }
        #expect(touched.names(in: "a")?.count == TouchedPaths.mostNames)
        touched.insert("0", in: "a")
        #expect(touched.names(in: "a") != nil)
        touched.insert("one more", in: "a")
        #expect(touched.names(in: "a") == nil)
    }

    @Test func foldersWithoutAPlaceAreLeftOut() {
        var touched = TouchedNames<Int>()
        touched.insert("x", in: 1)
        touched.insert("y", in: 2)
        touched.insert(whole: 3)
        touched.insert("z", in: 4)
        let placed = touched.placed { [1: "a", 3: "a", 4: "c"][$0] as DrivePath? }
        #expect(placed.names(in: "a") == nil)
        #expect(placed.names(in: "c") == ["z"])
        #expect(placed.folders == ["a", "c"])
    }
}
