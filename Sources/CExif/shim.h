#include <libexif/exif-data.h>

/// What exif_data_get_entry does; that is a macro, which Swift does not see.
static inline ExifEntry *dd_exif_entry(ExifData *data, ExifIfd ifd, ExifTag tag) {
    return exif_content_get_entry(data->ifd[ifd], tag);
}
