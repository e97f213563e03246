#ifndef DD_AUDIO_TAGS_H
#define DD_AUDIO_TAGS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int milliseconds;
    /* In kilobits a second. */
    int bit_rate;
    int sample_rate;
    int channels;
} dd_audio_properties;

/* One tag, as "ARTIST" and its value in UTF-8; neither lives longer than the call. */
typedef void (*dd_audio_tag)(void *context, const char *key, const char *value);

/*
 * Reads properties and tags of an audio file with TagLib. TagLib's own C binding opens files for writing, which every
 * watcher of the folder then takes for a change; this reads what is open already. Returns 0, or a negative errno value:
 * -EINVAL for what is no audio file TagLib knows, -ENOMEM without memory.
 */
int dd_audio_read(int descriptor, dd_audio_properties *properties, dd_audio_tag each, void *context);

#ifdef __cplusplus
}
#endif

#endif
