/* SPDX-License-Identifier: Apache-2.0 */
/* `gnomon api exhaust`: calls every function that a library's headers declare, with made or given inputs. A program is
 * made that calls one of them with one input, and it runs once for each: one that crashes disturbs no other. */
#ifndef GNOMON_CLI_EXHAUST_H
#define GNOMON_CLI_EXHAUST_H

#include "cli/api/api_jobs.h"
#include "cli/api/exhaust_recipe.h"
#include "lib/elf/prototypes.h"

/* How the program ends: as in exhaust_runtime.h. */
enum { EXHAUST_DONE = 71, EXHAUST_SCRIBBLED = 72, EXHAUST_UNABLE = 73 };

enum exhaust_verdict {
    EXHAUST_OPEN, /* it has not run yet */
    EXHAUST_OK,
    EXHAUST_SKIPPED,
    EXHAUST_SCRIBBLES, /* it wrote outside its memory */
    EXHAUST_ENDS,      /* it ended the program */
    EXHAUST_HANGS,
    EXHAUST_CRASHES,
};

struct exhaust_function {
    const char *name;                         /* owned by the list of declared functions */
    const struct gnomon_prototype *prototype; /* NULL: the library does not define it */
    const struct exhaust_recipe *recipe;      /* NULL: there is none */
    bool takes_input, takes_values;
    enum exhaust_verdict verdict; /* the worst of its runs */
    char *why;                    /* owned; NULL: nothing to say */
    size_t runs, good;
    uint64_t calls, cycles; /* of the good runs */
};

struct exhaust_input {
    char *name; /* owned */
    char *path; /* of the file; owned. NULL: no input */
    uint64_t size;
};

struct exhaust {
    struct cli_context *context;
    struct api_project project; /* its program is the one that is made; devices, and the profile's name */
    struct exhaust_recipes recipes;
    char *folder;                    /* of what has been done so far; owned */
    struct gnomon_name_set declared; /* by the headers */
    struct gnomon_name_set defined;  /* by the libraries */
    struct gnomon_prototypes prototypes;
    size_t function_count;
    struct exhaust_function *functions;
    size_t input_count;
    struct exhaust_input *inputs; /* the first one is no input */
    size_t run_count;
    struct gnomon_api_profile *profile; /* of the good runs */
};

/* `path` in the folder; the caller frees it. NULL: out of memory. */
char *exhaust_file(const struct exhaust *exhaust, const char *name);

/* Finds the functions and what they take, and makes the program. */
enum gnomon_status exhaust_build(struct exhaust *exhaust, struct gnomon_error *error);
/* Decides of each function whether it can be called, and writes the program's source. */
enum gnomon_status exhaust_write_program(struct exhaust *exhaust, const char *path, struct gnomon_error *error);
/* Makes the inputs, or lists those of --inputs. */
enum gnomon_status exhaust_find_inputs(struct exhaust *exhaust, struct gnomon_error *error);
/* Runs each function with each input. */
enum gnomon_status exhaust_run(struct exhaust *exhaust, struct gnomon_error *error);

/* Prints the table. */
int exhaust_print(struct exhaust *exhaust);
const char *exhaust_verdict_name(enum exhaust_verdict verdict);
/* Sets the verdict of a function if it is worse than what was known. False: out of memory. */
bool exhaust_judge(struct exhaust_function *function, enum exhaust_verdict verdict, const char *why);

#endif
