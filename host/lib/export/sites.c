/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/sites.h"

char *export_site_label(const struct gnomon_export *export, uint32_t id, uint32_t index, struct gnomon_name *name) {
    *name = (struct gnomon_name){.text = "[caller not known]"};
    if (id != GNOMON_PROFILE_UNPROFILED)
        gnomon_name_of(name, &export->analysis, id);
    return export_make_label(name, name->module ? LABEL_FILE : LABEL_NAME, index);
}
