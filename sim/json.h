// SPDX-License-Identifier: Apache-2.0
// A JSON value that is released with its owner.
#pragma once
#include <jansson.h>
#include <memory>
#include <string>

namespace gnomon {

struct JsonFree {
    void operator()(json_t *json) const {
        json_decref(json);
    }
};
using Json = std::unique_ptr<json_t, JsonFree>;

// Reads the file. On failure returns null, and `error` gives the reason.
inline Json load_json(const std::string &path, std::string &error) {
    json_error_t why;
    Json root(json_load_file(path.c_str(), 0, &why));
    if (!root)
        error = path + ": " + why.text;
    return root;
}

} // namespace gnomon
