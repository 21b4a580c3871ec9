// SPDX-License-Identifier: Apache-2.0
// Which functions get hooks: globs on function names and source files, and a minimum size.
#ifndef GNOMON_PLUGIN_FILTER_H
#define GNOMON_PLUGIN_FILTER_H

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

namespace gnomon {

// A short list of globs; the strings live as long as the compiler's command line.
class Globs {
  public:
    bool add(const char *pattern) {
        if (count_ == most || !pattern || !*pattern)
            return false;
        patterns_[count_++] = pattern;
        return true;
    }
    bool empty() const {
        return count_ == 0;
    }
    bool match(const char *text) const {
        for (unsigned i = 0; i < count_; i++)
            if (fnmatch(patterns_[i], text, 0) == 0)
                return true;
        return false;
    }

  private:
    static const unsigned most = 256;
    const char *patterns_[most] = {};
    unsigned count_ = 0;
};

class Filter {
  public:
    // One -fplugin-arg-gnomon-KEY[=VALUE]; false if it is not understood.
    bool option(const char *key, const char *value) {
        if (strcmp(key, "off") == 0)
            return off_ = true;
        if (strcmp(key, "include") == 0)
            return include_.add(value);
        if (strcmp(key, "exclude") == 0)
            return exclude_.add(value);
        if (strcmp(key, "include-file") == 0)
            return include_file_.add(value);
        if (strcmp(key, "exclude-file") == 0)
            return exclude_file_.add(value);
        if (strcmp(key, "min-insns") == 0)
            return number(value);
        return false;
    }

    bool off() const {
        return off_;
    }

    // A glob for functions matches the function's name as written or its symbol. A glob for files matches the path as
    // given or its last component.
    bool accepts(const char *name, const char *symbol, const char *file, unsigned insns) const {
        const char *slash = strrchr(file, '/');
        const char *base = slash ? slash + 1 : file;
        if (insns < min_insns_)
            return false;
        if (exclude_.match(name) || exclude_.match(symbol) || exclude_file_.match(file) || exclude_file_.match(base))
            return false;
        if (!include_.empty() && !include_.match(name) && !include_.match(symbol))
            return false;
        return include_file_.empty() || include_file_.match(file) || include_file_.match(base);
    }

  private:
    bool number(const char *value) {
        char *end = nullptr;
        if (!value || !*value)
            return false;
        min_insns_ = strtoul(value, &end, 10);
        return *end == 0;
    }

    Globs include_, exclude_, include_file_, exclude_file_;
    unsigned long min_insns_ = 0;
    bool off_ = false;
};

} // namespace gnomon

#endif
