// SPDX-License-Identifier: Apache-2.0
// GCC plugin: puts one-store hooks into every profiled function.
//
// The pass runs right before `shorten`, when prologue, epilogue, tail calls and block order are final. It inserts:
//
//     first instruction      lui t0,%hi(slot);  sb ra,%lo(slot)(t0)
//     before each ret, tail  lui t0,%hi(slot);  sb sp,%lo(slot)(t0)
//
// The linker places the slots right below the top of the address space and relaxes each pair to one store (see
// docs/guide/firmware.md). t0 is the only register that is dead at entry, at returns and at sibling calls, direct or
// indirect. The instruction declares the clobber of t0, so -fipa-ra sees it. In interrupt functions the hooks must not
// change any register. These hooks use the short form from the start; their slots are in a section that the linker
// script places where the short form reaches it.
//
// In a module, the numbers are not known before the module is loaded. So the hooks are left blank, and .gnomon.sites
// says where they are (docs/guide/firmware.md, "Modules").

#include <string>

// The order of GCC's headers matters.
// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "stringpool.h"
#include "attribs.h"
#include "cgraph.h"
#include "context.h"
#include "cpplib.h"
#include "diagnostic.h"
#include "file-prefix-map.h"
#include "flags.h"
#include "function.h"
#include "memmodel.h"
#include "rtl.h"
#include "emit-rtl.h"
#include "langhooks.h"
#include "output.h"
#include "predict.h"
#include "target.h"
#include "tm_p.h"
#include "toplev.h"
#include "tree-pass.h"
// clang-format on

#include "gnomon/trace.h"

#include "filter.h"
#include "tag_attributes.h"

int plugin_is_GPL_compatible;

namespace {

enum { T0 = 5, T1 = 6, T3 = 28, T4, T5, T6 };

gnomon::Filter filter;
bool records;                               // software mode: hooks are calls instead of stores
enum class Module { no, far, near } module; // hooks of a module; near: one instruction each

// What the hooks of a function need to know.
struct Hooked {
    unsigned slot;
    bool interrupt;
    const char *symbol, *group; // group: NULL if not in a COMDAT group

    Hooked(tree decl, unsigned number) : slot(number), interrupt(false), group(nullptr) {
        symbol = targetm.strip_name_encoding(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)));
        if (tree id = DECL_COMDAT_GROUP(decl))
            group = IDENTIFIER_POINTER(id);
    }

    // Directive that switches to a section tied to the function (SHF_LINK_ORDER). --gc-sections drops the section
    // together with the function; the section does not keep the function.
    std::string beside(const char *section) const {
        std::string text =
            std::string("\t.pushsection ") + section + ",\"o" + (group ? "G" : "") + "\",@progbits," + symbol;
        return group ? text + "," + group + ",comdat\n" : text + "\n";
    }
};

bool has_attribute(tree decl, const char *name) {
    return lookup_attribute(name, DECL_ATTRIBUTES(decl)) != NULL_TREE ||
           lookup_attribute(name, TYPE_ATTRIBUTES(TREE_TYPE(decl))) != NULL_TREE;
}

// The flag DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT is no help: without -finstrument-functions it is set on all
// functions.
bool wanted(tree decl, unsigned insns) {
    if (has_attribute(decl, "gnomon_off") || has_attribute(decl, "no_instrument_function") ||
        has_attribute(decl, "naked"))
        return false;
    const char *file = DECL_SOURCE_FILE(decl);
    return filter.accepts(lang_hooks.decl_printable_name(decl, 1), IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)),
                          file ? file : "", insns);
}

unsigned count_instructions() {
    unsigned count = 0;
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn))
        count += active_insn_p(insn) ? 1 : 0;
    return count;
}

rtx asm_pattern(const char *text) {
    rtx body = gen_rtx_ASM_OPERANDS(VOIDmode, ggc_strdup(text), "", 0, rtvec_alloc(0), rtvec_alloc(0), rtvec_alloc(0),
                                    UNKNOWN_LOCATION);
    MEM_VOLATILE_P(body) = 1;
    return body;
}

rtx asm_using_t0(const char *text) {
    rtx clobber = gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(Pmode, RISCV_PROLOGUE_TEMP_REGNUM));
    return gen_rtx_PARALLEL(VOIDmode, gen_rtvec(2, asm_pattern(text), clobber));
}

// Instructions that need the slot's address. In a module the loader fills in the address, so `blank` is emitted
// instead.
std::string with_slot(const Hooked &hooked, const char *instructions, const char *blank) {
    static unsigned sites;
    const std::string slot = ".Lgnomon_slot" + std::to_string(hooked.slot);
    if (module == Module::no) {
        std::string text = instructions;
        for (size_t at; (at = text.find('@')) != std::string::npos;)
            text.replace(at, 1, slot);
        return text;
    }
    const std::string site = ".Lgnomon_site" + std::to_string(sites++);
    return hooked.beside(".gnomon.sites") + "\t.4byte\t" + site + "," + slot +
           "\n\t.popsection\n\t.option\tpush\n\t.option\tnorvc\n" + site + ":\n\t" + blank + "\n\t.option\tpop";
}

// An asm statement that stores `reg` to the slot, through t0 or relative to x0.
rtx store_pattern(const char *reg, const Hooked &hooked) {
    const std::string name = reg;
    if (hooked.interrupt || module == Module::near)
        return asm_pattern(
            with_slot(hooked, ("sb\t" + name + ",%%lo(@)(zero)").c_str(), ("sb\t" + name + ",0(zero)").c_str())
                .c_str());
    return asm_using_t0(with_slot(hooked, ("lui\tt0,%%hi(@)\n\tsb\t" + name + ",%%lo(@)(t0)").c_str(),
                                  ("lui\tt0,0\n\tsb\t" + name + ",0(t0)").c_str())
                            .c_str());
}

// In software mode: an asm statement that calls a hook of the runtime (records.S) with t0 as link register. The hook
// may change t1 and t3 to t6. A hook for an entry gets the address of the slot in t1. For an interrupt function the
// statement saves t0 and t1 around the call.
rtx call_pattern(const char *hook, const Hooked *with, const char *keep) {
    char before[80] = "", after[80] = "";
    std::string number;
    if (with)
        number = with_slot(*with, "lui\tt1,%%hi(@)\n\taddi\tt1,t1,%%lo(@)", "lui\tt1,0\n\taddi\tt1,t1,0") + "\n\t";
    if (keep && !*keep) {
        snprintf(before, sizeof before, "addi\tsp,sp,-16\n\tsw\tt0,8(sp)\n\tsw\tt1,12(sp)\n\t");
        snprintf(after, sizeof after, "\n\tlw\tt0,8(sp)\n\tlw\tt1,12(sp)\n\taddi\tsp,sp,16");
    } else if (keep) {
        snprintf(before, sizeof before, "addi\tsp,sp,-16\n\tsw\t%s,12(sp)\n\t", keep);
        snprintf(after, sizeof after, "\n\tlw\t%s,12(sp)\n\taddi\tsp,sp,16", keep);
    }
    // The same as `call t0`, except that a far hook needs t0 as scratch register, too: t1 holds the slot.
    const std::string text = before + number + ".reloc\t.,R_RISCV_CALL_PLT,__gnomon_records_" + hook +
                             "\n\t.reloc\t.,R_RISCV_RELAX\n\tauipc\tt0,0\n\tjalr\tt0,0(t0)" + after;
    rtx body = gen_rtx_ASM_OPERANDS(VOIDmode, ggc_strdup(text.c_str()), "", 0, rtvec_alloc(0), rtvec_alloc(0),
                                    rtvec_alloc(0), UNKNOWN_LOCATION);
    MEM_VOLATILE_P(body) = 1;
    if (keep && !*keep)
        return body;
    static const unsigned scratch[] = {T0, T1, T3, T4, T5, T6};
    rtvec parts = rtvec_alloc(1 + sizeof scratch / sizeof *scratch);
    RTVEC_ELT(parts, 0) = body;
    int count = 1;
    for (unsigned reg : scratch)
        if (!keep || strcmp(keep, reg_names[reg]) != 0)
            RTVEC_ELT(parts, count++) = gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(Pmode, reg));
    PUT_NUM_ELEM(parts, count);
    return gen_rtx_PARALLEL(VOIDmode, parts);
}

// The register that holds the target of a tail call, if the hook may change that register; otherwise null.
const char *target_register(rtx_insn *insn) {
    if (!CALL_P(insn))
        return nullptr;
    rtx call = get_call_rtx_from(insn);
    rtx target = call ? XEXP(XEXP(call, 0), 0) : NULL_RTX;
    if (!target || !REG_P(target))
        return nullptr;
    const unsigned reg = REGNO(target);
    return reg == T1 || (reg >= T3 && reg <= T6) ? reg_names[reg] : nullptr;
}

rtx enter_pattern(const Hooked &hooked) {
    if (!records)
        return store_pattern("ra", hooked);
    return hooked.interrupt ? call_pattern("trap", &hooked, "") : call_pattern("enter", &hooked, nullptr);
}

rtx leave_pattern(rtx_insn *insn, const Hooked &hooked) {
    if (!records)
        return store_pattern("sp", hooked);
    if (hooked.interrupt)
        return call_pattern("untrap", nullptr, "");
    const char *keep = target_register(insn);
    return call_pattern(keep ? "leave_kept" : "leave", nullptr, keep);
}

// True for instructions that leave the function for good: ret, mret, tail call.
bool leaves(rtx_insn *insn) {
    if (CALL_P(insn))
        return SIBLING_CALL_P(insn);
    return JUMP_P(insn) && returnjump_p(insn);
}

void insert_hooks(const Hooked &hooked) {
    rtx_insn *first = get_insns();
    while (NOTE_P(first) && NEXT_INSN(first) && NOTE_P(NEXT_INSN(first)))
        first = NEXT_INSN(first);
    if (NOTE_P(first))
        emit_insn_after_noloc(enter_pattern(hooked), first, NULL);
    else
        emit_insn_before_noloc(enter_pattern(hooked), first, NULL);

    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn))
        if (leaves(insn))
            emit_insn_before_noloc(leave_pattern(insn, hooked), insn, NULL);
}

// The linker script (host/cli/cc/cc_order.c) must tell static functions of the same name apart. So the section's name
// contains the file's name; characters that a script cannot contain are replaced.
std::string section_of(tree decl, const char *symbol, bool near) {
    std::string section = near ? ".gnomon.near." : ".gnomon.slots.";
    const char *unique = strstr(symbol, ".lto_priv.");
    section.append(symbol, unique ? unique - symbol : strlen(symbol));
    const char *file = DECL_SOURCE_FILE(decl);
    if ((TREE_PUBLIC(decl) && !unique) || !file)
        return section;
    section += ".in.";
    for (file = lbasename(file); *file; file++)
        section += ISALNUM(*file) || strchr("_.-$", *file) ? *file : '_';
    return section;
}

// Inserts messages at places where calls above this function may have been left (by longjmp or goto). A message says
// which function runs, so the reader knows that all calls above it have ended. The places are: after a call that can
// return a second time (setjmp; its first return, with 0, has ended no calls and sends no message), and at the labels
// to which __builtin_longjmp and a nested function's goto come back. t0 is dead at both. The messages use the channel
// LANDED (docs/reference/address-map.md).
void insert_landings(const Hooked &hooked) {
    const std::string lands =
        with_slot(hooked, "lui\tt0,%%hi(@)\n\taddi\tt0,t0,%%lo(@)", "lui\tt0,0\n\taddi\tt0,t0,0") + "\n\tsw\tt0," +
        std::to_string(-4 - 4 * GNOMON_CHANNEL_LANDED) + "(zero)";
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn))
        if (CALL_P(insn) && find_reg_note(insn, REG_SETJMP, NULL_RTX))
            emit_insn_after_noloc(asm_using_t0(("beqz\ta0,0f\n\t" + lands + "\n0:").c_str()), insn, NULL);
    for (rtx_insn_list *label = nonlocal_goto_handler_labels; label; label = label->next()) {
        rtx_insn *place = label->insn();
        while (NEXT_INSN(place) && NOTE_P(NEXT_INSN(place)))
            place = NEXT_INSN(place);
        emit_insn_after_noloc(asm_using_t0(lands.c_str()), place, NULL);
    }
}

// The section of a function in an overlay, or null.
const char *overlay_of(tree decl) {
    const char *section = DECL_SECTION_NAME(decl);
    if (!section || !startswith(section, ".overlay."))
        return nullptr;
    if (module != Module::no)
        error_at(DECL_SOURCE_LOCATION(decl), "gnomon: a module has no overlays");
    return section;
}

// Writes the slot (one byte that is never loaded; its address is the function's number) and the pair {slot, function}
// for the host. Both go into the function's COMDAT group. A function of an overlay shares its address with other
// functions. So its pair goes into a section whose name says which overlay it is, followed by the line and file that
// debug information would give for an address.
void write_slot(tree decl, const Hooked &hooked) {
    fprintf(asm_out_file, "\t.pushsection %s,\"aw%s\",@nobits",
            section_of(decl, hooked.symbol, hooked.interrupt).c_str(), hooked.group ? "G" : "");
    if (hooked.group)
        fprintf(asm_out_file, ",%s,comdat", hooked.group);
    fprintf(asm_out_file, "\n.Lgnomon_slot%u:\n\t.zero\t1\n\t.popsection\n", hooked.slot);
    const char *overlay = overlay_of(decl);
    const std::string map = std::string(".gnomon.map") + (overlay ? overlay : "");
    fprintf(asm_out_file, "%s\t.4byte\t.Lgnomon_slot%u,%s\n", hooked.beside(map.c_str()).c_str(), hooked.slot,
            hooked.symbol);
    if (overlay) {
        const char *file = DECL_SOURCE_FILE(decl);
        fprintf(asm_out_file, "\t.4byte\t%d\n\t.asciz\t", DECL_SOURCE_LINE(decl));
        output_quoted_string(asm_out_file, file ? remap_debug_filename(file) : "");
        fputs("\n\t.balign\t4\n", asm_out_file);
    }
    fputs("\t.popsection\n", asm_out_file);
}

// A call of a function whose first instruction crosses a word boundary waits one cycle for the second word. Our hook is
// a four-byte instruction, while a prologue often begins with a two-byte one. Without alignment the hook would cost
// that cycle in every other function.
void align(function *fun) {
    if (DECL_ALIGN(fun->decl) < 32 && !optimize_function_for_size_p(fun))
        SET_DECL_ALIGN(fun->decl, 32);
}

const pass_data hook_pass_data = {RTL_PASS, "gnomon", OPTGROUP_NONE, TV_NONE, PROP_rtl, 0, 0, 0, 0};

class HookPass : public rtl_opt_pass {
  public:
    explicit HookPass(gcc::context *context) : rtl_opt_pass(hook_pass_data, context) {
    }

    unsigned int execute(function *fun) final override {
        tree decl = fun->decl;
        if (!wanted(decl, count_instructions()))
            return 0;
        Hooked hooked(decl, slots_++);
        hooked.interrupt = has_attribute(decl, "interrupt");
        insert_hooks(hooked);
        if (!records) // in software mode the frames' stack pointers show it
            insert_landings(hooked);
        write_slot(decl, hooked);
        align(fun);
        return 0;
    }

  private:
    unsigned slots_ = 0;
};

// With -msave-restore a millicode routine returns instead of the function, so the function's exit would be lost.
void start_unit(void *, void *) {
    if (!TARGET_SAVE_RESTORE)
        return;
    target_flags &= ~MASK_SAVE_RESTORE;
    inform(UNKNOWN_LOCATION, "gnomon: %<-msave-restore%> is switched off: it would hide function exits");
}

// __attribute__((gnomon_off)): no hooks in this function.
struct attribute_spec off_attribute = {"gnomon_off", 0, 0, true, false, false, false, nullptr, nullptr};

attribute_spec tag_attribute = {"gnomon_tag", 1, 1, true, false, false, false, gnomon::handle_tag_attribute, nullptr};

void register_attributes(void *, void *) {
    register_attribute(&off_attribute);
    register_attribute(&tag_attribute);
}

void register_pragmas(void *, void *) {
    if (!c_register_pragma)
        return;
    c_register_pragma("gnomon", "tag", gnomon::handle_tag_pragma);
    c_register_pragma("gnomon", "threshold", gnomon::handle_threshold_pragma);
}

void look_for_tags(void *function, void *) {
    gnomon::Tags::all().look_at(static_cast<tree>(function));
}

void collect_tags(void *, void *) {
    gnomon::Tags::all().collect();
}

} // namespace

int plugin_init(plugin_name_args *info, plugin_gcc_version *version) {
    if (!plugin_default_version_check(version, &gcc_version)) {
        error("gnomon: the plugin was built for GCC %s, this is GCC %s; run %<make%> again", gcc_version.basever,
              version->basever);
        return 1;
    }
    for (int i = 0; i < info->argc; i++) {
        if (strcmp(info->argv[i].key, "records") == 0) {
            records = true;
        } else if (strcmp(info->argv[i].key, "module") == 0) {
            module = info->argv[i].value ? Module::near : Module::far;
        } else if (!filter.option(info->argv[i].key, info->argv[i].value)) {
            error("gnomon: unknown or incomplete plugin option %qs", info->argv[i].key);
            return 1;
        }
    }
    register_callback(info->base_name, PLUGIN_ATTRIBUTES, register_attributes, nullptr);
    register_callback(info->base_name, PLUGIN_PRAGMAS, register_pragmas, nullptr);
    register_callback(info->base_name, PLUGIN_PRE_GENERICIZE, look_for_tags, nullptr);
    register_callback(info->base_name, PLUGIN_ALL_IPA_PASSES_START, collect_tags, nullptr);
    if (filter.off())
        return 0;
    register_callback(info->base_name, PLUGIN_START_UNIT, start_unit, nullptr);

    register_pass_info pass = {new HookPass(g), "shorten", 1, PASS_POS_INSERT_BEFORE};
    register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
    return 0;
}
