/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes a PNG, resizes it, draws a line of text beside it and writes a PNG. It is real code (Debian's libstb-dev)
 * with integer work (inflate, filters, deflate) and soft floating point (resampling, glyph outlines). The output is the
 * same on every machine. usage: logo LOGO.png FONT.ttf OUT.png [TEXT] */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#include <stb_image.h>
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include <stb_image_resize.h>
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

enum { WIDTH = 176, HEIGHT = 44, MARGIN = 4, LOGO = HEIGHT - 2 * MARGIN, TEXT_PIXELS = 14, CHANNELS = 4 };

struct canvas {
    unsigned char pixels[HEIGHT][WIDTH][CHANNELS];
};

struct bytes {
    unsigned char *data;
    size_t size;
};

static bool read_file(const char *path, struct bytes *bytes) {
    struct stat status;
    const int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &status) != 0)
        return false;
    bytes->size = (size_t)status.st_size;
    bytes->data = malloc(bytes->size);
    size_t got = 0;
    while (bytes->data && got < bytes->size) {
        const ssize_t count = read(fd, bytes->data + got, bytes->size - got);
        if (count <= 0)
            break;
        got += (size_t)count;
    }
    close(fd);
    return bytes->data && got == bytes->size;
}

static void clear(struct canvas *canvas) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            memcpy(canvas->pixels[y][x], (const unsigned char[]){255, 255, 255 - y / 4, 255}, CHANNELS);
}

/* Draws `color` over a pixel; `alpha` is 0 to 255. */
static void blend(unsigned char *pixel, const unsigned char *color, int alpha) {
    for (int c = 0; c < 3; c++)
        pixel[c] = (unsigned char)((color[c] * alpha + pixel[c] * (255 - alpha) + 127) / 255);
}

static bool place_logo(struct canvas *canvas, const struct bytes *png) {
    static unsigned char scaled[LOGO][LOGO][CHANNELS];
    int width, height, channels;
    unsigned char *pixels = stbi_load_from_memory(png->data, (int)png->size, &width, &height, &channels, CHANNELS);
    if (!pixels)
        return false;
    const int good = stbir_resize_uint8(pixels, width, height, 0, &scaled[0][0][0], LOGO, LOGO, 0, CHANNELS);
    for (int y = 0; good && y < LOGO; y++)
        for (int x = 0; x < LOGO; x++)
            blend(canvas->pixels[MARGIN + y][MARGIN + x], scaled[y][x], scaled[y][x][3]);
    stbi_image_free(pixels);
    printf("logo: %d x %d, %d channels, drawn %d x %d\n", width, height, channels, LOGO, LOGO);
    return good;
}

static void place_glyph(struct canvas *canvas, const unsigned char *coverage, int width, int height, int left,
                        int top) {
    static const unsigned char ink[] = {0x30, 0x20, 0x28};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (top + y >= 0 && top + y < HEIGHT && left + x >= 0 && left + x < WIDTH)
                blend(canvas->pixels[top + y][left + x], ink, coverage[y * width + x]);
}

static bool place_text(struct canvas *canvas, const struct bytes *ttf, const char *text) {
    stbtt_fontinfo font;
    if (!stbtt_InitFont(&font, ttf->data, stbtt_GetFontOffsetForIndex(ttf->data, 0)))
        return false;
    const float scale = stbtt_ScaleForPixelHeight(&font, TEXT_PIXELS);
    int ascent, descent, gap;
    stbtt_GetFontVMetrics(&font, &ascent, &descent, &gap);
    const int baseline = HEIGHT / 2 + (int)((float)(ascent + descent) * scale / 2);
    float x = 2 * MARGIN + LOGO;
    for (const char *c = text; *c; c++) {
        int advance, bearing, width, height, left, top;
        unsigned char *coverage = stbtt_GetCodepointBitmap(&font, scale, scale, *c, &width, &height, &left, &top);
        stbtt_GetCodepointHMetrics(&font, *c, &advance, &bearing);
        if (coverage)
            place_glyph(canvas, coverage, width, height, (int)x + left, baseline + top);
        stbtt_FreeBitmap(coverage, NULL);
        x += scale * (float)(advance + stbtt_GetCodepointKernAdvance(&font, c[0], c[1]));
    }
    printf("text: %u characters, %d pixels wide\n", (unsigned)strlen(text), (int)x - 2 * MARGIN - LOGO);
    return true;
}

static bool write_all(int fd, const unsigned char *data, size_t size) {
    while (size > 0) {
        const ssize_t count = write(fd, data, size);
        if (count <= 0)
            return false;
        data += count;
        size -= (size_t)count;
    }
    return true;
}

static bool write_png(const struct canvas *canvas, const char *path) {
    int size = 0;
    unsigned char *png =
        stbi_write_png_to_mem(&canvas->pixels[0][0][0], WIDTH * CHANNELS, WIDTH, HEIGHT, CHANNELS, &size);
    const int fd = png ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
    const bool good = fd >= 0 && write_all(fd, png, (size_t)size) && close(fd) == 0;
    free(png);
    printf("wrote %s: %d x %d, %d bytes\n", path, WIDTH, HEIGHT, size);
    return good;
}

static int fail(const char *what, const char *thing) {
    fprintf(stderr, "logo: cannot %s %s\n", what, thing);
    return 1;
}

int main(int argc, char **argv) {
    static struct canvas canvas;
    struct bytes logo, font;
    if (argc < 4)
        return fail("do without", "LOGO.png FONT.ttf OUT.png [TEXT]");
    if (!read_file(argv[1], &logo))
        return fail("read", argv[1]);
    if (!read_file(argv[2], &font))
        return fail("read", argv[2]);
    clear(&canvas);
    if (!place_logo(&canvas, &logo))
        return fail("decode", argv[1]);
    if (!place_text(&canvas, &font, argc > 4 ? argv[4] : "Where the time went"))
        return fail("use the font", argv[2]);
    if (!write_png(&canvas, argv[3]))
        return fail("write", argv[3]);
    free(font.data);
    free(logo.data);
    return 0;
}
