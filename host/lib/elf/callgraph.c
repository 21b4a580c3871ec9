/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/callgraph.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/elf/callgraph_decode.h"
#include "lib/util/array.h"

#define VECTORS "__gnomon_vectors" /* the runtime's jump table to the trap handlers */
#define DIES "__gnomon_trapped"    /* target of traps without a handler: it ends the program */
#define GLOBAL_POINTER "__global_pointer$"
#define REGISTERS 32

struct node {
    uint32_t start, end;
    bool indirect; /* jumps to an address in a register */
    bool taken;    /* its address is found somewhere */
    bool reached;
};

struct edge {
    uint32_t from, to; /* indices of nodes */
    bool jump;         /* no call: the way back leads to the caller of `from` */
};

struct gnomon_callgraph {
    struct node *nodes; /* by start; each node ends at the next one's start, or at its section's end */
    size_t count, room;
    struct edge *edges;
    size_t edge_count, edge_room;
    uint32_t *work; /* nodes whose callees have not been visited yet */
    uint32_t entry, vectors, dies, global_pointer;
    bool any_indirect_reached;
};

/* ---- Nodes ---- */

static bool add_node(struct gnomon_callgraph *graph, uint32_t start) {
    if (!gnomon_array_room(&graph->nodes, &graph->room, graph->count + 1, sizeof *graph->nodes))
        return false;
    graph->nodes[graph->count++] = (struct node){.start = start};
    return true;
}

/* Index of the node that holds `address`; `count` if there is none. */
static size_t node_at(const struct gnomon_callgraph *graph, uint32_t address) {
    size_t after = gnomon_array_from(graph->nodes, graph->count, sizeof *graph->nodes, offsetof(struct node, start),
                                     (uint64_t)address + 1);
    return after > 0 && address < graph->nodes[after - 1].end ? after - 1 : graph->count;
}

static size_t node_starting(const struct gnomon_callgraph *graph, uint32_t address) {
    size_t index = node_at(graph, address);
    return index < graph->count && graph->nodes[index].start == address ? index : graph->count;
}

static int by_start(const void *a, const void *b) {
    const struct node *left = a, *right = b;
    return left->start < right->start ? -1 : left->start > right->start;
}

static bool is_code(Elf *elf, size_t section) {
    GElf_Shdr header;
    Elf_Scn *found = elf_getscn(elf, section);
    return found && gelf_getshdr(found, &header) && (header.sh_flags & SHF_EXECINSTR);
}

/* Adds functions, and assembly labels that are not local. */
static bool take_symbol(struct gnomon_callgraph *graph, Elf *elf, const GElf_Sym *symbol, const char *name) {
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    uint32_t value = (uint32_t)symbol->st_value;
    if (!strcmp(name, VECTORS))
        graph->vectors = value;
    if (!strcmp(name, DIES))
        graph->dies = value;
    if (!strcmp(name, GLOBAL_POINTER))
        graph->global_pointer = value;
    bool label = type == STT_NOTYPE && *name && *name != '.' && *name != '$';
    if ((type != STT_FUNC && !label) || !is_code(elf, symbol->st_shndx))
        return true;
    return add_node(graph, value);
}

static bool read_symbols(struct gnomon_callgraph *graph, Elf *elf) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        GElf_Sym symbol;
        Elf_Data *data;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !(data = elf_getdata(section, NULL)))
            continue;
        for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name && !take_symbol(graph, elf, &symbol, name))
                return false;
        }
    }
    return true;
}

static void set_ends(struct gnomon_callgraph *graph, const GElf_Shdr *section) {
    uint32_t end = (uint32_t)(section->sh_addr + section->sh_size);
    for (size_t i = 0; i < graph->count; i++) {
        struct node *node = &graph->nodes[i];
        if (node->start < section->sh_addr || node->start >= end)
            continue;
        bool followed = i + 1 < graph->count && graph->nodes[i + 1].start < end;
        node->end = followed ? graph->nodes[i + 1].start : end;
    }
}

static void sort_nodes(struct gnomon_callgraph *graph) {
    if (graph->count == 0)
        return;
    qsort(graph->nodes, graph->count, sizeof *graph->nodes, by_start);
    size_t kept = 1;
    for (size_t i = 1; i < graph->count; i++)
        if (graph->nodes[i].start != graph->nodes[kept - 1].start)
            graph->nodes[kept++] = graph->nodes[i];
    graph->count = kept;
}

/* ---- Edges ---- */

static bool add_edge(struct gnomon_callgraph *graph, size_t from, uint32_t target, bool jump) {
    size_t to = node_at(graph, target);
    if (to == from && target != graph->nodes[from].start)
        return true; /* a jump within the function; a jump to its start may be recursion */
    if (to == graph->count) {
        graph->nodes[from].indirect = true; /* the target is in no known function: treat the jump as indirect */
        return true;
    }
    if (!gnomon_array_room(&graph->edges, &graph->edge_room, graph->edge_count + 1, sizeof *graph->edges))
        return false;
    graph->edges[graph->edge_count++] =
        (struct edge){(uint32_t)from, (uint32_t)to, jump && target == graph->nodes[to].start};
    return true;
}

/* Marks a function whose address was found as a target of indirect calls. The program's start and the vectors are never
 * called, so their addresses do not count. */
static void take_address(struct gnomon_callgraph *graph, uint32_t value) {
    size_t index = node_starting(graph, value);
    if (index < graph->count && value != graph->entry && value != graph->vectors)
        graph->nodes[index].taken = true;
}

static uint32_t word(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

struct walk {
    uint32_t pc;
    uint32_t upper[REGISTERS]; /* values that lui and auipc wrote last */
    unsigned fresh;            /* register that the previous instruction, an auipc, has written; 0: none */
};

/* Handles one instruction. A direct call is auipc and then jalr; other jumps to registers may go anywhere. */
static bool step(struct gnomon_callgraph *graph, size_t node, struct walk *walk, const struct flow *flow) {
    unsigned fresh = walk->fresh;
    walk->fresh = 0;
    switch (flow->kind) {
    case FLOW_JUMP:
        return add_edge(graph, node, walk->pc + (uint32_t)flow->distance, flow->rd == 0);
    case FLOW_REGISTER:
        if (fresh && fresh == flow->rs1)
            return add_edge(graph, node, walk->upper[fresh] + (uint32_t)flow->distance, flow->rd == 0);
        graph->nodes[node].indirect = true;
        return true;
    case FLOW_UPPER:
        walk->upper[flow->rd] = (uint32_t)flow->distance;
        return true;
    case FLOW_UPPER_PC:
        walk->upper[flow->rd] = walk->pc + (uint32_t)flow->distance;
        walk->fresh = flow->rd;
        return true;
    case FLOW_ADD:
        take_address(graph, walk->upper[flow->rs1] + (uint32_t)flow->distance);
        return true;
    case FLOW_NONE:
        return true;
    }
    return true;
}

static bool walk_node(struct gnomon_callgraph *graph, size_t node, const uint8_t *code, size_t size) {
    struct walk walk = {.pc = graph->nodes[node].start};
    walk.upper[3] = graph->global_pointer;
    for (size_t at = 0; at + 2 <= size;) {
        uint32_t insn = at + 4 <= size ? word(code + at) : (uint32_t)(code[at] | code[at + 1] << 8);
        struct flow flow = callgraph_decode(insn);
        if (!step(graph, node, &walk, &flow))
            return false;
        at += flow.bytes;
        walk.pc += flow.bytes;
    }
    return true;
}

static bool walk_section(struct gnomon_callgraph *graph, const GElf_Shdr *header, const Elf_Data *data) {
    for (size_t i = 0; i < graph->count; i++) {
        const struct node *node = &graph->nodes[i];
        uint64_t offset = node->start - header->sh_addr;
        if (node->start < header->sh_addr || node->end > header->sh_addr + data->d_size || node->end <= node->start)
            continue;
        if (!walk_node(graph, i, (const uint8_t *)data->d_buf + offset, node->end - node->start))
            return false;
    }
    return true;
}

typedef bool section_function(struct gnomon_callgraph *graph, const GElf_Shdr *header, const Elf_Data *data);

static bool each_section(struct gnomon_callgraph *graph, Elf *elf, bool code, section_function *function) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) || header.sh_type == SHT_NOBITS ||
            code != !!(header.sh_flags & SHF_EXECINSTR))
            continue;
        Elf_Data *data = elf_rawdata(section, NULL);
        if (data && data->d_buf && !function(graph, &header, data))
            return false;
    }
    return true;
}

/* Do sections of code share addresses? Then the program has overlays. */
static bool shares_addresses(Elf *elf) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));)
        for (Elf_Scn *other = section; (other = elf_nextscn(elf, other));) {
            GElf_Shdr a, b;
            if (gelf_getshdr(section, &a) && gelf_getshdr(other, &b) && (a.sh_flags & b.sh_flags & SHF_EXECINSTR) &&
                a.sh_addr < b.sh_addr + b.sh_size && b.sh_addr < a.sh_addr + a.sh_size)
                return true;
        }
    return false;
}

static bool end_nodes(struct gnomon_callgraph *graph, const GElf_Shdr *header, const Elf_Data *data) {
    (void)data;
    set_ends(graph, header);
    return true;
}

static bool scan_data(struct gnomon_callgraph *graph, const GElf_Shdr *header, const Elf_Data *data) {
    (void)header;
    for (size_t at = 0; at + 4 <= data->d_size; at += 4)
        take_address(graph, word((const uint8_t *)data->d_buf + at));
    return true;
}

static int by_from(const void *a, const void *b) {
    const struct edge *left = a, *right = b;
    return left->from < right->from ? -1 : left->from > right->from;
}

static enum gnomon_status build(struct gnomon_callgraph *graph, Elf *elf, struct gnomon_error *error) {
    GElf_Ehdr header;
    if (!gelf_getehdr(elf, &header))
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "the program is not an ELF file");
    if (shares_addresses(elf))
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "the program has overlays");
    graph->entry = (uint32_t)header.e_entry;
    if (!read_symbols(graph, elf))
        return gnomon_fail_memory(error);
    sort_nodes(graph);
    graph->work = calloc(graph->count + 1, sizeof *graph->work);
    if (!graph->work || !each_section(graph, elf, true, end_nodes) || !each_section(graph, elf, true, walk_section) ||
        !each_section(graph, elf, false, scan_data))
        return gnomon_fail_memory(error);
    if (graph->edge_count > 0)
        qsort(graph->edges, graph->edge_count, sizeof *graph->edges, by_from);
    return GNOMON_OK;
}

/* ---- Reach ---- */

static void reach(struct gnomon_callgraph *graph, size_t index, size_t *waiting) {
    if (graph->nodes[index].reached)
        return;
    graph->nodes[index].reached = true;
    graph->work[(*waiting)++] = (uint32_t)index;
}

static void reach_callees(struct gnomon_callgraph *graph, size_t index, size_t *waiting) {
    size_t edge =
        gnomon_array_from(graph->edges, graph->edge_count, sizeof *graph->edges, offsetof(struct edge, from), index);
    for (; edge < graph->edge_count && graph->edges[edge].from == index; edge++)
        reach(graph, graph->edges[edge].to, waiting);
    if (!graph->nodes[index].indirect || graph->any_indirect_reached)
        return;
    graph->any_indirect_reached = true;
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i].taken)
            reach(graph, i, waiting);
}

static void reach_all(struct gnomon_callgraph *graph, size_t index) {
    size_t waiting = 0;
    reach_callees(graph, index, &waiting);
    while (waiting > 0)
        reach_callees(graph, graph->work[--waiting], &waiting);
}

bool gnomon_callgraph_reach_from(struct gnomon_callgraph *graph, uint32_t address) {
    size_t index = node_starting(graph, address);
    if (index == graph->count)
        return false;
    reach_all(graph, index);
    return true;
}

bool gnomon_callgraph_reach_from_traps(struct gnomon_callgraph *graph, bool *any) {
    *any = false;
    size_t vectors = node_starting(graph, graph->vectors);
    if (vectors == graph->count)
        return false;
    size_t dies = node_at(graph, graph->dies);
    for (size_t i = 0; i < graph->edge_count; i++) {
        const struct edge *edge = &graph->edges[i];
        if (edge->from != vectors || edge->to == dies)
            continue;
        *any = true;
        graph->nodes[edge->to].reached = true;
        reach_all(graph, edge->to);
    }
    return true;
}

bool gnomon_callgraph_reached(const struct gnomon_callgraph *graph, uint32_t address) {
    size_t index = node_starting(graph, address);
    return index == graph->count || graph->nodes[index].reached;
}

bool gnomon_callgraph_jumps(const struct gnomon_callgraph *graph, uint32_t from, uint32_t to) {
    const size_t index = node_starting(graph, from), target = node_starting(graph, to);
    size_t edge =
        gnomon_array_from(graph->edges, graph->edge_count, sizeof *graph->edges, offsetof(struct edge, from), index);
    for (; edge < graph->edge_count && graph->edges[edge].from == index; edge++)
        if (graph->edges[edge].to == target && graph->edges[edge].jump)
            return true;
    return false;
}

/* ---- Life ---- */

enum gnomon_status gnomon_callgraph_load(struct gnomon_callgraph **result, const char *path,
                                         struct gnomon_error *error) {
    *result = NULL;
    struct gnomon_callgraph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return gnomon_fail_memory(error);
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    enum gnomon_status status =
        elf ? build(graph, elf, error) : gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read %s", path);
    if (elf)
        elf_end(elf);
    if (fd >= 0)
        close(fd);
    if (status)
        gnomon_callgraph_free(graph);
    else
        *result = graph;
    return status;
}

void gnomon_callgraph_free(struct gnomon_callgraph *graph) {
    if (!graph)
        return;
    free(graph->nodes);
    free(graph->edges);
    free(graph->work);
    free(graph);
}
