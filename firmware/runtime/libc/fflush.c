/* SPDX-License-Identifier: Apache-2.0 */
/* picolibc's fflush does not support fflush(NULL). */
#include "streams.h"

int fflush(FILE *file) {
    int result = 0;
    if (file)
        return file->flush ? file->flush(file) : 0;
    for (struct gnomon_stream *stream = &__gnomon_streams ? __gnomon_streams : NULL; stream; stream = stream->next)
        result |= fflush(&stream->file.xfile.cfile.file);
    return result | fflush(stdout) | fflush(stderr);
}
