// SPDX-License-Identifier: Apache-2.0
// Tags in the source: __attribute__((gnomon_tag("ACTIONS"))) on functions and variables, and before a
// statement
//
//     #pragma gnomon tag("ACTIONS")
//
// and anywhere, for thresholds of a timer,
//
//     #pragma gnomon threshold("TIMER=CYCLES[:interrupt],...")
//
// (gnomon_tag.h has macros for all). They do not change the code. They only produce a section that is not loaded,
// .gnomon.tags.source: pairs of strings (what, actions) in the syntax of `gnomon tag -t`, or ("--threshold", value).
// When the program is linked, `gnomon cc` converts them to addresses.
#ifndef GNOMON_PLUGIN_TAGS_H
#define GNOMON_PLUGIN_TAGS_H

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

// Functions of the C and C++ compilers. lto1 also loads the plugin, but does not have them.
extern void c_register_pragma(const char *space, const char *name, void (*handler)(cpp_reader *)) __attribute__((weak));
extern enum cpp_ttype pragma_lex(tree *value, location_t *location) __attribute__((weak));

namespace gnomon {

class Tags {
  public:
    // The single set of the compilation. Callbacks need it, because they get no pointer to it.
    static Tags &all() {
        static Tags tags;
        return tags;
    }

    void add_pragma(location_t location, const char *actions) {
        // Without this, a macro of a system header would suppress the warnings about the pragma.
        statements_.push_back({expansion_point_location(location), actions, "", 0, 0, false});
    }

    void add_threshold(const char *value) {
        add("--threshold", value);
    }

    // Called for each parsed function: finds those of its statements that have a pragma before them. A pragma belongs
    // to the function that begins before it and has statements after it.
    void look_at(tree function) {
        const expanded_location begin = expand_location(DECL_SOURCE_LOCATION(function));
        for (Statement &statement : statements_) {
            const expanded_location at = expand_location(statement.pragma);
            if (statement.found || !same_file(at, begin) || at.line < begin.line)
                continue;
            Extent nearest = {at, {}, 0};
            walk_tree_without_duplicates(&DECL_SAVED_TREE(function), consider, &nearest);
            if (nearest.first.line == 0)
                continue;
            statement.found = true;
            statement.file = at.file;
            statement.first = nearest.first.line;
            statement.last = nearest.last;
        }
    }

    // Called before optimization: collects the names of all symbols, defined or used here, that have the attribute.
    // Then removes the attribute, so that no pass sees it. The section is written as assembly outside functions, which
    // goes through -flto unchanged.
    void collect() {
        symtab_node *node;
        FOR_EACH_SYMBOL(node) {
            tree attribute = lookup_attribute("gnomon_tag", DECL_ATTRIBUTES(node->decl));
            for (; attribute; attribute = lookup_attribute("gnomon_tag", TREE_CHAIN(attribute)))
                add_symbol(node->decl, TREE_STRING_POINTER(TREE_VALUE(TREE_VALUE(attribute))));
            DECL_ATTRIBUTES(node->decl) = remove_attribute("gnomon_tag", DECL_ATTRIBUTES(node->decl));
        }
        for (const Statement &statement : statements_)
            add_lines(statement);
        if (found_.empty())
            return;
        std::string text = ".pushsection .gnomon.tags.source,\"\",@progbits\n";
        for (const auto &pair : found_)
            text += "\t.asciz\t" + quoted(pair.first) + "," + quoted(pair.second) + "\n";
        text += "\t.popsection";
        symtab->finalize_toplevel_asm(build_string(text.size(), text.c_str()));
    }

  private:
    struct Statement {
        location_t pragma;
        std::string actions, file;
        int first, last; // lines
        bool found;
    };

    // The extent of a statement after a pragma: where its parts begin and end.
    struct Extent {
        expanded_location pragma, first;
        int last;
    };

    static bool same_file(const expanded_location &a, const expanded_location &b) {
        return a.file && b.file && strcmp(a.file, b.file) == 0;
    }

    static bool is_before(const expanded_location &a, const expanded_location &b) {
        return a.line < b.line || (a.line == b.line && a.column < b.column);
    }

    static tree measure(tree *node, int *, void *data) {
        Extent *extent = static_cast<Extent *>(data);
        if (!EXPR_HAS_LOCATION(*node))
            return NULL_TREE;
        const expanded_location at = expand_location(EXPR_LOCATION(*node));
        if (!same_file(at, extent->pragma))
            return NULL_TREE;
        if (extent->first.line == 0 || is_before(at, extent->first))
            extent->first = at;
        extent->last = std::max(extent->last, at.line);
        return NULL_TREE;
    }

    // walk_tree visits an outer expression before its parts. The outer one is kept if its parts begin at the same
    // place.
    static tree consider(tree *node, int *, void *data) {
        Extent *nearest = static_cast<Extent *>(data);
        if (!EXPR_HAS_LOCATION(*node) || TREE_CODE(*node) == DEBUG_BEGIN_STMT)
            return NULL_TREE;
        if (!is_before(nearest->pragma, expand_location(EXPR_LOCATION(*node))))
            return NULL_TREE;
        Extent extent = {nearest->pragma, {}, 0};
        walk_tree_without_duplicates(node, measure, &extent);
        if (extent.first.line == 0 || !is_before(nearest->pragma, extent.first))
            return NULL_TREE;
        if (nearest->first.line == 0 || is_before(extent.first, nearest->first))
            *nearest = extent;
        return NULL_TREE;
    }

    // A string of the assembler.
    static std::string quoted(const std::string &text) {
        std::string result = "\"";
        for (const char letter : text) {
            char octal[5];
            snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned char>(letter));
            result += ISPRINT(letter) && letter != '"' && letter != '\\' ? std::string(1, letter) : octal;
        }
        return result + "\"";
    }

    void add(const std::string &what, const std::string &actions) {
        const auto pair = std::make_pair(what, actions);
        if (std::find(found_.begin(), found_.end(), pair) == found_.end())
            found_.push_back(pair);
    }

    // Static symbols are identified by the file name in the symbol table as well.
    void add_symbol(tree decl, const char *actions) {
        const std::string name = targetm.strip_name_encoding(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)));
        add(TREE_PUBLIC(decl) ? name : std::string(lbasename(main_input_filename)) + ":" + name, actions);
    }

    void add_lines(const Statement &statement) {
        if (!statement.found) {
            warning_at(statement.pragma, 0, "gnomon: there is no statement after this tag");
            return;
        }
        if (debug_info_level == DINFO_LEVEL_NONE) {
            warning_at(statement.pragma, 0, "gnomon: the tag of a statement needs %<-g%>: it has no effect");
            return;
        }
        const bool whole = IS_ABSOLUTE_PATH(statement.file.c_str());
        const std::string folder = whole ? "" : std::string(remap_debug_filename(get_src_pwd())) + "/";
        std::string what =
            folder + remap_debug_filename(statement.file.c_str()) + ":" + std::to_string(statement.first);
        if (statement.last > statement.first)
            what += "-" + std::to_string(statement.last);
        add(what, statement.actions);
    }

    std::vector<Statement> statements_;
    std::vector<std::pair<std::string, std::string>> found_; // what, actions
};

// The string of #pragma gnomon NAME("TEXT"); null after an error.
inline const char *pragma_text(const char *name) {
    tree open, text, close, rest;
    const location_t location = input_location;
    if (pragma_lex(&open, nullptr) == CPP_OPEN_PAREN && pragma_lex(&text, nullptr) == CPP_STRING &&
        pragma_lex(&close, nullptr) == CPP_CLOSE_PAREN && pragma_lex(&rest, nullptr) == CPP_EOF)
        return TREE_STRING_POINTER(text);
    error_at(location, "gnomon: a %s is written %<#pragma gnomon %s(\"TEXT\")%>", name, name);
    return nullptr;
}

inline void handle_tag_pragma(cpp_reader *) {
    const location_t location = input_location;
    if (const char *actions = pragma_text("tag"))
        Tags::all().add_pragma(location, actions);
}

inline void handle_threshold_pragma(cpp_reader *) {
    if (const char *value = pragma_text("threshold"))
        Tags::all().add_threshold(value);
}

// __attribute__((gnomon_tag("ACTIONS")))
inline tree handle_tag_attribute(tree *node, tree name, tree arguments, int, bool *no_add) {
    const bool fits = TREE_CODE(*node) == FUNCTION_DECL ||
                      (VAR_P(*node) && (TREE_STATIC(*node) || DECL_EXTERNAL(*node) || TREE_PUBLIC(*node)));
    if (TREE_CODE(TREE_VALUE(arguments)) != STRING_CST)
        error("gnomon: the argument of %qE is no string", name);
    else if (!fits)
        error("gnomon: %qE is for functions and variables that have an address of their own", name);
    else
        return NULL_TREE;
    *no_add = true;
    return NULL_TREE;
}

} // namespace gnomon

#endif
