/* SPDX-License-Identifier: Apache-2.0 */
/* The screen of gnomon top. */
#include <curses.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/live/top.h"
#include "cli/screen.h"

#define HEAD_LINES 4    /* two lines of state, what is shown, titles */
#define CONSOLE_LINES 3 /* of the program's output */
#define LEAST_ROWS 5    /* of the table, before the output gets lines */
#define WIDE 100        /* columns from which on there is room for places in the source */
#define MOST_WIDTH 512
#define LEAST_NAME 16
#define NAME_ROOM 24   /* columns that the name has before numbers get any ... */
#define NARROW_ROOM 12 /* ... on a terminal of fewer than NARROW columns */
#define NARROW 60

struct top_screen {
    SCREEN *screen;
    FILE *terminal[2];
    size_t first; /* row of the table at the top */
    bool paused, help, typing;
    char before[sizeof((struct top_settings *)0)->filter]; /* the filter, until the new one is entered */
};

struct top_screen *top_screen_open(void) {
    struct top_screen *screen = calloc(1, sizeof *screen);
    if (!screen)
        return NULL;
    setlocale(LC_CTYPE, "");
    screen->terminal[0] = fopen("/dev/tty", "re");
    screen->terminal[1] = fopen("/dev/tty", "we");
    if (screen->terminal[0] && screen->terminal[1])
        screen->screen = newterm(NULL, screen->terminal[1], screen->terminal[0]);
    if (!screen->screen) {
        top_screen_close(screen);
        return NULL;
    }
    set_term(screen->screen);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(50);
    curs_set(0);
    return screen;
}

void top_screen_close(struct top_screen *screen) {
    if (!screen)
        return;
    if (screen->screen) {
        endwin();
        delscreen(screen->screen);
    }
    for (size_t i = 0; i < 2; i++)
        if (screen->terminal[i])
            fclose(screen->terminal[i]);
    free(screen);
}

bool top_screen_paused(const struct top_screen *screen) {
    return screen->paused;
}

void top_screen_wait(struct top_screen *screen, int ms) {
    struct pollfd file = {.fd = fileno(screen->terminal[0]), .events = POLLIN};
    poll(&file, 1, ms);
}

/* ---- Keys ---- */

static void type_filter(struct top_screen *screen, struct top_settings *settings, int key) {
    const size_t length = strlen(settings->filter);
    if (key == '\n' || key == '\r' || key == KEY_ENTER) {
        screen->typing = false;
    } else if (key == 27) { /* escape: the filter stays as it was */
        screen->typing = false;
        memcpy(settings->filter, screen->before, sizeof settings->filter);
    } else if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && length) {
        settings->filter[length - 1] = 0;
    } else if (key >= 0x20 && key < 0x100 && length + 1 < sizeof settings->filter) {
        settings->filter[length] = (char)key;
        settings->filter[length + 1] = 0;
    }
}

/* The next column that the view has. */
static enum top_column next_column(const struct top_settings *settings, int step) {
    int column = settings->sort;
    do
        column = (column + step + TOP_COLUMNS) % TOP_COLUMNS;
    while (!*top_title(settings->view, (enum top_column)column));
    return (enum top_column)column;
}

static void choose_view(struct top_screen *screen, struct top_settings *settings, enum top_view view) {
    settings->view = view;
    screen->first = 0;
    if (!*top_title(view, settings->sort))
        settings->sort = TOP_NOW;
}

static void scroll_by(struct top_screen *screen, long rows) {
    const long first = (long)screen->first + rows;
    screen->first = first > 0 ? (size_t)first : 0;
}

static enum top_wish take_key(struct top_screen *screen, struct top_settings *settings, int key) {
    if (screen->typing) {
        type_filter(screen, settings, key);
        return TOP_REDRAW;
    }
    switch (key) {
    case 'q':
        return TOP_QUIT;
    case 'r':
        return TOP_RESET;
    case 'f':
        return TOP_FREEZE;
    case 'p':
    case ' ':
        screen->paused = !screen->paused;
        break;
    case 'h':
    case '?':
        screen->help = !screen->help;
        break;
    case '/':
        screen->typing = true;
        memcpy(screen->before, settings->filter, sizeof screen->before);
        settings->filter[0] = 0;
        break;
    case '<':
    case KEY_LEFT:
        settings->sort = next_column(settings, -1);
        break;
    case '>':
    case KEY_RIGHT:
        settings->sort = next_column(settings, 1);
        break;
    case '\t':
        choose_view(screen, settings, (enum top_view)((settings->view + 1) % TOP_VIEWS));
        break;
    case '1':
    case '2':
    case '3':
    case '4':
        choose_view(screen, settings, (enum top_view)(key - '1'));
        break;
    case KEY_DOWN:
        scroll_by(screen, 1);
        break;
    case KEY_UP:
        scroll_by(screen, -1);
        break;
    case KEY_NPAGE:
        scroll_by(screen, LINES - HEAD_LINES - 1);
        break;
    case KEY_PPAGE:
        scroll_by(screen, -(LINES - HEAD_LINES - 1));
        break;
    case KEY_HOME:
        screen->first = 0;
        break;
    case KEY_RESIZE:
        break;
    default:
        return TOP_NOTHING;
    }
    return TOP_REDRAW;
}

enum top_wish top_screen_keys(struct top_screen *screen, struct top_settings *settings) {
    enum top_wish wish = TOP_NOTHING;
    for (int key; (key = getch()) != ERR;) {
        const enum top_wish more = take_key(screen, settings, key);
        wish = more > wish ? more : wish;
    }
    return wish;
}

/* ---- Drawing ---- */

static void put_line(int line, const char *text) {
    mvaddnstr(line, 0, text, -1);
    clrtoeol();
}

/* One row of the table, or its titles. Each column has a fixed width; those of the lowest rank stay if not all have
 * room, and the name gets the rest. */
static const struct {
    enum top_column column;
    int width, rank;
} fields[] = {{TOP_NOW_SHARE, 6, 0}, {TOP_NOW, 14, 1},      {TOP_NOW_COUNT, 11, 2}, {TOP_NOW_HELD, 14, 3},
              {TOP_ALL_SHARE, 6, 4}, {TOP_ALL, 16, 7},      {TOP_ALL_COUNT, 13, 5}, {TOP_EACH, 12, 6},
              {TOP_ALL_HELD, 16, 9}, {TOP_EACH_HELD, 12, 8}};
enum { FIELDS = sizeof fields / sizeof *fields };

/* Width of the columns of the view up to that rank. */
static int width_to(enum top_view view, int rank) {
    int width = 0;
    for (size_t i = 0; i < FIELDS; i++)
        width += fields[i].rank <= rank && *top_title(view, fields[i].column) ? fields[i].width + 1 : 0;
    return width;
}

static bool has_field(enum top_view view, size_t field) {
    const int room = COLS - (COLS < NARROW ? NARROW_ROOM : NAME_ROOM);
    return *top_title(view, fields[field].column) && width_to(view, fields[field].rank) <= room;
}

static int name_column(enum top_view view) {
    int column = 0;
    for (size_t i = 0; i < FIELDS; i++)
        column += has_field(view, i) ? fields[i].width + 1 : 0;
    return column;
}

static void draw_titles(int line, const struct top_settings *settings) {
    move(line, 0);
    clrtoeol();
    attron(A_REVERSE);
    for (size_t i = 0; i < FIELDS; i++)
        if (has_field(settings->view, i)) {
            if (fields[i].column == settings->sort)
                attron(A_BOLD | A_UNDERLINE);
            printw("%*s", fields[i].width, top_title(settings->view, fields[i].column));
            attroff(A_BOLD | A_UNDERLINE);
            addch(' ');
        }
    printw("%-*s", COLS - name_column(settings->view) > 0 ? COLS - name_column(settings->view) : 0,
           top_title(settings->view, TOP_NAME));
    attroff(A_REVERSE);
}

static void draw_row(int line, const struct top_table *table, const struct top_row *row) {
    char text[CLI_COUNT_BYTES], name[SCREEN_TEXT_BYTES];
    move(line, 0);
    for (size_t i = 0; i < FIELDS; i++)
        if (has_field(table->view, i)) {
            top_cell(table, row, fields[i].column, text);
            printw("%*s ", fields[i].width, text);
        }
    const int room = COLS - name_column(table->view), where = row->where ? screen_length(row->where) + 2 : 0;
    const bool both = COLS >= WIDE && where && room - where >= LEAST_NAME;
    addstr(screen_shorten(name, row->name, both ? room - where : room > 0 ? room : 1));
    if (both)
        printw("  %s", row->where);
    clrtoeol();
}

static void draw_help(int line) {
    static const char *const lines[] = {
        "1 2 3 4, Tab functions, stall causes, threads, locks",
        "< >          sort by the column to the left or right",
        "/ TEXT       show only names with this text; Enter ends it, Esc takes it back",
        "p, Space     pause: the display stands still, measuring goes on",
        "f            freeze: no new figures until the next f; then one has all that time",
        "r            reset: \"all\" counts from now on",
        "arrows, PgUp PgDn, Home   scroll",
        "q            quit: stops the program",
        "h, ?         this help",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines && line < LINES; i++)
        put_line(line++, lines[i]);
    clrtobot();
}

static void draw_state(int line, const struct top_screen *screen, const struct top_settings *settings, bool frozen,
                       bool over) {
    char text[TOP_LINE_BYTES];
    snprintf(text, sizeof text, "[%s] by %s%s%s%s%s%s  %s", top_view_name(settings->view),
             top_title(settings->view, settings->sort), *settings->filter || screen->typing ? "  filter: " : "",
             settings->filter, screen->typing ? "_" : "", screen->paused ? "  PAUSED" : "", frozen ? "  FROZEN" : "",
             over ? "the program is over: q quits" : "h: help, q: quit");
    put_line(line, text);
}

static void draw_console(int first, int lines, const struct top_console *console) {
    char text[CONSOLE_LINES * (MOST_WIDTH + 1)];
    const size_t width = COLS < MOST_WIDTH ? (size_t)COLS : MOST_WIDTH;
    const unsigned found = top_console_lines(console, (unsigned)lines, width, text);
    attron(A_DIM);
    for (int i = 0; i < lines; i++)
        put_line(first + i, (unsigned)i < found ? text + (size_t)i * (width + 1) : "");
    attroff(A_DIM);
}

void top_screen_draw(struct top_screen *screen, const struct live_target *live, const struct top_settings *settings,
                     const struct top_figures *figures, const struct top_console *console, bool frozen, bool over) {
    char text[TOP_LINE_BYTES];
    struct top_table table;
    top_first_line(live, figures, settings->view, text);
    put_line(0, text);
    top_second_line(live, figures, text);
    put_line(1, text);
    draw_state(2, screen, settings, frozen, over);
    if (screen->help) {
        draw_help(HEAD_LINES - 1);
        refresh();
        return;
    }
    const int room = LINES - HEAD_LINES,
              output = console->bytes && room >= LEAST_ROWS + CONSOLE_LINES ? CONSOLE_LINES : 0;
    const int rows = room - output;
    draw_titles(HEAD_LINES - 1, settings);
    if (!top_table_make(&table, settings->view, settings->sort, settings->filter, live, figures))
        table.none = "out of memory";
    const size_t last = table.count > (size_t)(rows > 0 ? rows : 0) ? table.count - (size_t)rows : 0;
    screen->first = screen->first < last ? screen->first : last;
    for (int i = 0; i < rows; i++) {
        const size_t row = screen->first + (size_t)i;
        if (row < table.count)
            draw_row(HEAD_LINES + i, &table, &table.rows[row]);
        else
            put_line(HEAD_LINES + i, i == 0 && table.none ? table.none : "");
    }
    draw_console(HEAD_LINES + rows, output, console);
    top_table_free(&table);
    refresh();
}
