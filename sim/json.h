// SPDX-License-Identifier: Apache-2.0
// A JSON value that is released with its owner.
#pragma once
#include <jansson.h>
#include <memory>

namespace gnomon {

struct JsonFree {
    void operator()(json_t *json) const {
        json_decref(json);
    }
};
using Json = std::unique_ptr<json_t, JsonFree>;

} // namespace gnomon
