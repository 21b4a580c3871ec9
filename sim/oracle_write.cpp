// SPDX-License-Identifier: Apache-2.0
// Writes the reference model's results as JSON.
#include "oracle.h"

#include <algorithm>
#include <jansson.h>
#include <memory>

namespace gnomon {

json_t *Oracle::json() const {
    json_t *root = json_object();
    const auto count = [](json_t *object, const char *key, uint64_t value) {
        json_object_set_new(object, key, json_integer(static_cast<json_int_t>(value)));
    };
    json_t *list = json_array();
    const auto append = [&](const Function &function) {
        if (function.calls == 0) {
            return;
        }
        json_t *entry = json_object();
        json_object_set_new(entry, "name", json_string(function.name.c_str()));
        count(entry, "address", function.start);
        if (function.overlay) {
            count(entry, "overlay", function.overlay - 1);
        }
        count(entry, "calls", function.calls);
        count(entry, "self_cycles", function.self);
        count(entry, "total_cycles", function.total);
        json_array_append_new(list, entry);
    };
    std::for_each(functions_.begin(), functions_.end(), append);
    for (const auto &trap : traps_) {
        append(trap.second);
    }
    json_t *arcs = json_array();
    for (const auto &arc : arcs_) {
        json_t *entry = json_object();
        json_object_set_new(entry, "caller",
                            arc.first.first ? json_string(arc.first.first->name.c_str()) : json_null());
        json_object_set_new(entry, "callee", json_string(arc.first.second->name.c_str()));
        count(entry, "calls", arc.second);
        json_array_append_new(arcs, entry);
    }
    json_t *causes = json_array();
    for (uint64_t cycles : causes_) {
        json_array_append_new(causes, json_integer(static_cast<json_int_t>(cycles)));
    }
    json_object_set_new(root, "ended", json_boolean(!running_));
    count(root, "cycles", now_);
    count(root, "instructions", instructions_);
    count(root, "unprofiled_cycles", unprofiled_);
    json_object_set_new(root, "functions", list);
    json_object_set_new(root, "arcs", arcs);
    json_object_set_new(root, "causes", causes);
    return root;
}

bool Oracle::write(const std::string &path) const {
    const std::unique_ptr<json_t, decltype(&json_decref)> root(json(), json_decref);
    json_object_set_new(root.get(), "locks", locks_->json());
    json_object_set_new(root.get(), "interrupts_off", interrupts_.json());
    json_object_set_new(root.get(), "interrupt_waits", interrupts_.waits_json());
    if (other_) {
        json_object_set_new(root.get(), "hart1", other_->json());
    }
    return json_dump_file(root.get(), path.c_str(), JSON_INDENT(1)) == 0;
}

} // namespace gnomon
