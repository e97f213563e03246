#include "CAudioTags.h"

#include <cerrno>
#include <fcntl.h>
#include <new>
#include <unistd.h>

#include <taglib/audioproperties.h>
#include <taglib/fileref.h>
#include <taglib/tfilestream.h>
#include <taglib/tpropertymap.h>

namespace {

int read(int descriptor, dd_audio_properties *properties, dd_audio_tag each, void *context) {
    TagLib::FileStream stream(descriptor, true);
    if (!stream.isOpen()) return -EIO;
    TagLib::FileRef file(&stream, true, TagLib::AudioProperties::Average);
    if (file.isNull() || !file.file()->isValid()) return -EINVAL;
    if (const TagLib::AudioProperties *audio = file.audioProperties()) {
        properties->milliseconds = audio->lengthInMilliseconds();
        properties->bit_rate = audio->bitrate();
        properties->sample_rate = audio->sampleRate();
        properties->channels = audio->channels();
    }
    const TagLib::PropertyMap tags = file.file()->properties();
    for (const auto &tag : tags)
        for (const auto &value : tag.second) each(context, tag.first.toCString(true), value.toCString(true));
    return 0;
}

} // namespace

int dd_audio_read(int descriptor, dd_audio_properties *properties, dd_audio_tag each, void *context) {
    *properties = {};
    // The stream closes what it gets.
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) return -errno;
    try {
        return read(copy, properties, each, context);
    } catch (const std::bad_alloc &) {
        return -ENOMEM;
    } catch (...) {
        return -EINVAL;
    }
}
