import Testing

@testable import DriveImporters
@testable import DriveImporting

@Suite struct MediaTests {
    @Test func photographs() throws {
        let found = try imported(Images.jpeg(exif: ExifBytes.block()), named: "a.jpg")
        #expect(found.integer(.pixelWidth) == 640)
        #expect(found.integer(.pixelHeight) == 480)
        #expect(found.integer(.pixelCount) == 307_200)
        #expect(found.integer(.orientation) == 0)
        #expect(found.integer(.bitsPerSample) == 8)
        #expect(found.string(.colorSpace) == "RGB")
        #expect(found.real(.resolutionWidth) == 300)
        #expect(found.string(.acquisitionMake) == "Maker")
        #expect(found.string(.acquisitionModel) == "M10")
        #expect(found.real(.fNumber) == 2.8)
        #expect(found.integer(.isoSpeed) == 400)
        #expect(found.real(.latitude) == 48.5)
        #expect(found.real(.longitude) == -48.5)
        #expect(found.date(.contentCreationDate) == DateText.parse("2026-05-06T07:08:09"))
        #expect(found.string(.title) == "Sunset")
        #expect(found.strings(.keywords) == ["sea", "sky"])
        #expect(found.text == nil)
    }

    @Test func whoPublishedAPictureIsKnown() throws {
        let publisher = "<dc:publisher><r:Bag><r:li>Press</r:li></r:Bag></dc:publisher>"
        let found = try imported(Images.jpeg(xmp: Images.xmp("", publisher)), named: "a.jpg")
        #expect(found.strings(.publishers) == ["Press"])
        #expect(found.string(.title) == "Sunset")
    }

    @Test func thePlaceOfAPhotographsClockIsKept() throws {
        func taken(_ exif: [UInt8]?, _ xmp: [UInt8] = Images.xmp()) throws -> ImportedDate? {
            try imported(Images.jpeg(exif: exif, xmp: xmp), named: "a.jpg").date(.contentCreationDate)
        }
        #expect(try taken(ExifBytes.block(zone: "+09:00")) == DateText.parse("2026-05-05T22:08:09Z"))
        #expect(try taken(ExifBytes.block(zone: "-05:00")) == DateText.parse("2026-05-06T12:08:09Z"))
        #expect(try taken(ExifBytes.block()) == DateText.parse("2026-05-06T07:08:09"))
        let late = "e:CreateDate=\"2026-01-02T03:04:05+01:00\""
        let taking = "<e:DateTimeOriginal>2026-01-01T03:04:05Z</e:DateTimeOriginal>"
        #expect(try taken(nil) == nil)
        #expect(try taken(nil, Images.xmp(late)) == DateText.parse("2026-01-02T02:04:05Z"))
        #expect(try taken(nil, Images.xmp(late, taking)) == DateText.parse("2026-01-01T03:04:05Z"))
        #expect(try taken(ExifBytes.block(zone: "Z"), Images.xmp(late)) == DateText.parse("2026-05-06T07:08:09Z"))
    }

    /// Its pixels lie as they do in the file.
    @Test(arguments: [(1, 0), (3, 0), (6, 1), (8, 1)])
    func aPictureThatIsShownTurnedStands(orientation: Int, expected: Int64) throws {
        let found = try imported(Images.jpeg(exif: ExifBytes.block(orientation: orientation)), named: "a.jpg")
        #expect(found.integer(.orientation) == expected)
        #expect(found.integer(.pixelWidth) == 640)
    }

    /// The file says it of each picture in it, and what it says goes before Exif.
    @Test(arguments: [true, false])
    func aHEICPictureThatIsShownTurnedStands(isLong: Bool) throws {
        func found(_ shown: Int?, turns: Int = 0, exif: Int = 1) throws -> [Int64?] {
            let file = Images.heic(
                exif: ExifBytes.block(orientation: exif), shown: shown, turns: turns, isLong: isLong)
            let picture = try imported(file, named: "a.avif")
            return [picture.integer(.pixelWidth), picture.integer(.orientation)]
        }
        for (turns, orientation) in [(0, 0), (1, 1), (2, 0), (3, 1)] as [(Int, Int64)] {
            #expect(try found(2, turns: turns) == [4032, orientation])
        }
        #expect(try found(2, turns: 1, exif: 6) == [4032, 1])
        #expect(try found(2, exif: 6) == [4032, 0])
        #expect(try found(1) == [512, 0])
        // Which one is shown is not told, or is not there: turns of any say nothing.
        #expect(try found(nil) == [4032, 0])
        #expect(try found(9) == [4032, 0])
    }

    @Test func picturesOfOtherFormats() throws {
        let png = try imported(Images.png(), named: "a.png")
        #expect(png.integer(.pixelWidth) == 20 && png.integer(.pixelHeight) == 30)
        #expect(png.integer(.orientation) == 1)
        #expect(png.integer(.hasAlphaChannel) == 1)
        #expect(png.string(.title) == "A picture")
        #expect(png.strings(.authors) == ["Zoë"])
        #expect(abs(try #require(png.real(.resolutionWidth)) - 96) < 0.1)
        let gif = try imported(Array("GIF89a".utf8) + little(12, 2) + little(34, 2), named: "a.gif")
        #expect(gif.integer(.pixelWidth) == 12 && gif.integer(.pixelHeight) == 34)
        let webp = try imported(Images.webp(), named: "a.webp")
        #expect(webp.integer(.pixelWidth) == 800 && webp.integer(.pixelHeight) == 600)
        let tiff = try imported(Images.tiff(), named: "a.tif")
        #expect(tiff.integer(.pixelWidth) == 70 && tiff.integer(.pixelHeight) == 90)
        let heic = try imported(Images.heic(exif: ExifBytes.block()), named: "a.heic")
        #expect(heic.integer(.pixelWidth) == 4032 && heic.integer(.pixelHeight) == 3024)
        #expect(heic.string(.acquisitionMake) == "Maker")
        // By its bytes, not by its name.
        #expect(try imported(Images.png(), named: "a.jpg").integer(.pixelWidth) == 20)
        #expect(refusal(Array("no picture at all, by far".utf8), named: "a.png") == .malformed)
    }

    /// Cameras and scanners write the pictures first, and their directory behind; a photograph has tens of megabytes.
    @Test(arguments: [(8, 0), (8, 17 << 20), (100_000, 0), (17 << 20, 100)])
    func tagsAreReadWhereverTheyLie(place: Int, rest: Int) throws {
        let file = ExifBytes.block(orientation: 6, zone: "+09:00", at: place) + [UInt8](repeating: 0, count: rest)
        let found = try imported(file, named: "a.dng")
        #expect(found.string(.acquisitionMake) == "Maker")
        #expect(found.string(.acquisitionModel) == "M10")
        #expect(found.integer(.orientation) == 0)
        #expect(found.real(.fNumber) == 2.8)
        #expect(found.integer(.isoSpeed) == 400)
        #expect(found.real(.latitude) == 48.5)
        #expect(found.real(.longitude) == -48.5)
        #expect(found.date(.contentCreationDate) == DateText.parse("2026-05-05T22:08:09Z"))
    }

    /// A directory that says it is its own, and values that are not there, or without end.
    @Test func tagsThatLeadNowhereAreLeftOut() throws {
        let entries = [
            ExifBytes.entry(0x0100, 3, 1, 70 << 16), ExifBytes.entry(0x0101, 3, 1, 90 << 16),
            ExifBytes.entry(0x010E, 2, 1 << 30, 8), ExifBytes.entry(0x010F, 2, 40, 1 << 30),
            ExifBytes.entry(0x0110, 2, 4, 0x4D31_3000), ExifBytes.entry(0x8769, 4, 1, 8),
            ExifBytes.entry(0x8769, 4, 1, 8), ExifBytes.entry(0x8825, 4, 1, 1 << 30),
        ]
        let file = Array("MM\0*".utf8) + big(8) + big(entries.count, 2) + entries.flatMap(\.self) + big(0)
        let found = try imported(file, named: "a.tif")
        #expect(found.string(.acquisitionModel) == "M10")
        #expect(found.string(.acquisitionMake) == nil && found.string(.description) == nil)
    }

    @Test(arguments: [true, false])
    func aRawPhotographHasTheSizeOfItsLargestPicture(within: Bool) throws {
        func width(_ others: [(width: Int, isReduced: Bool)]) throws -> Int64? {
            let found = try imported(Images.raw(others, within: within), named: "a.dng")
            #expect(found.integer(.pixelHeight) == found.integer(.pixelWidth).map { $0 / 2 })
            return found.integer(.pixelWidth)
        }
        #expect(try width([(1000, true), (6000, false), (3000, false)]) == 6000)
        #expect(try width([(6000, false)]) == 6000)
        // That of a small picture says nothing of the photograph.
        #expect(try width([(1000, true), (500, true)]) == nil)
        #expect(try width([]) == nil)
        // However many there are.
        let many: [(width: Int, isReduced: Bool)] = (1...500).map { (width: $0, isReduced: false) }
        let found = try width(many)
        #expect(found != nil)
    }

    @Test func drawingsHaveText() throws {
        let found = try imported("<svg><title>Map</title><text>north</text></svg>", named: "a.svg")
        #expect(found.string(.kind) == "image")
        #expect(found.text == "Map\nnorth")
    }

    @Test func sounds() throws {
        let wav = try imported(Sounds.wav(), named: "a.wav")
        #expect(wav.real(.duration) == 1)
        #expect(wav.integer(.audioSampleRate) == 8000)
        #expect(wav.integer(.audioChannelCount) == 1)
        #expect(wav.string(.title) == "Knock")
        let mp3 = try imported(Sounds.mp3(), named: "a.mp3")
        #expect(mp3.string(.title) == "Prélude")
        #expect(mp3.strings(.authors) == ["Ada"])
        #expect(mp3.string(.album) == "Works")
        #expect(mp3.integer(.audioTrackNumber) == 4)
        #expect(mp3.integer(.recordingYear) == 2026)
        #expect(mp3.string(.composer) == "Grace")
        #expect(mp3.string(.genre) == "Classical")
        #expect(mp3.integer(.audioBitRate) == 128_000)
        #expect(mp3.integer(.audioChannelCount) == 2)
        let flac = try imported(Sounds.flac(), named: "a.flac")
        #expect(flac.string(.title) == "Fugue")
        #expect(flac.integer(.audioSampleRate) == 44_100)
        #expect(flac.real(.duration) == 1)
        #expect(refusal(Array("no sound".utf8), named: "a.mp3") == .malformed)
    }

    @Test func movies() throws {
        let found = try imported(Images.movie(), named: "a.mp4")
        #expect(found.real(.duration) == 2.5)
        #expect(found.integer(.pixelWidth) == 1920 && found.integer(.pixelHeight) == 1080)
    }

    /// What comes in fragments has no length in the header, and the whole one perhaps in a box of its own.
    @Test func moviesInFragmentsLastAsLongAsTheySay() throws {
        func seconds(_ length: Int, _ fragments: [UInt8]?) throws -> Double? {
            try imported(Images.movie(length: length, fragments: fragments), named: "a.mp4").real(.duration)
        }
        let short = big(16) + Array("mehd".utf8) + big(0) + big(3000)
        let long = big(20) + Array("mehd".utf8) + big(1 << 24) + big(6000, 8)
        #expect(try seconds(0, []) == nil)
        #expect(try seconds(0, short) == 5)
        #expect(try seconds(300, long) == 10)
        #expect(try seconds(300, []) == 0.5)
        #expect(try seconds(0, nil) == 0)
    }

    /// No bytes trap; what is refused says why.
    @Test func damagedMediaIsRefusedOrReadInPart() {
        var noise = Noise(7)
        for (bytes, name) in [
            (Images.jpeg(exif: ExifBytes.block()), "a.jpg"), (Images.png(), "a.png"), (Images.webp(), "a.webp"),
            (Images.tiff(), "a.tif"), (ExifBytes.block(), "b.tif"),
            (Images.raw([(1000, true), (6000, false)], within: true), "a.dng"),
            (Images.heic(exif: ExifBytes.block()), "a.heic"),
            (Images.heic(exif: ExifBytes.block(), shown: 2), "b.heic"),
            (Sounds.mp3(), "a.mp3"),
            (Sounds.flac(), "a.flac"), (Sounds.wav(), "a.wav"), (Images.movie(), "a.mp4"),
        ] {
            for length in stride(from: 1, to: min(bytes.count, 600), by: 7) {
                _ = refusal(Array(bytes.prefix(length)), named: name)
            }
            for _ in 0..<200 {
                var damaged = bytes
                for _ in 0..<4 {
                    damaged[Int(noise.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: noise.next())
                }
                let kind = refusal(damaged, named: name)
                #expect(kind == nil || kind == .malformed || kind == .tooLarge)
            }
        }
    }
}
