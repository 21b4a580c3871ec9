// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>
#include <sstream>

#include "program.hpp"

namespace cosim {

namespace {

bool read_file(const std::string &name, std::vector<uint8_t> &bytes) {
    std::ifstream file(name, std::ios::binary | std::ios::ate);
    if (!file)
        return false;
    bytes.resize(static_cast<size_t>(file.tellg()));
    file.seekg(0);
    file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bool(file);
}

const std::unordered_map<std::string, PatchKind> kinds = {{"message", PatchKind::message},
                                                          {"wfi", PatchKind::wfi},
                                                          {"misaligned", PatchKind::misaligned},
                                                          {"fault", PatchKind::fault},
                                                          {"counter", PatchKind::counter}};

} // namespace

std::string Program::load(const std::string &prefix) {
    if (!read_file(prefix + ".bin", ram) || ram.size() > ram_bytes)
        return prefix + ".bin: cannot be read, or too large";
    ram.resize(ram_bytes);
    std::ifstream map(prefix + ".map");
    std::string line;
    while (std::getline(map, line)) {
        std::istringstream words(line);
        std::string what, kind;
        uint32_t a = 0, b = 0;
        words >> what;
        if (what == "vector" && words >> std::hex >> vector >> kind) {
            vectored = kind == "vectored";
        } else if (what == "user") {
            user = true;
        } else if (what == "block" && words >> std::dec >> a >> std::hex >> b) {
            blocks[b] = a;
        } else if (what == "patch" && words >> std::hex >> a >> b >> kind && kinds.count(kind) &&
                   a - ram_base < ram_bytes - 4) {
            patches[a] = {b, kinds.at(kind)};
            for (unsigned i = 0; i < 4; i++)
                ram[a - ram_base + i] = static_cast<uint8_t>(b >> (8 * i));
        } else {
            return prefix + ".map: not understood: " + line;
        }
    }
    if (vector == 0)
        return prefix + ".map: no vector";
    std::vector<uint8_t> bytes;
    if (!read_file(prefix + ".ref", bytes) || bytes.size() < 2 * sizeof(reference_record))
        return prefix + ".ref: cannot be read, or too short";
    const auto *records = reinterpret_cast<const reference_record *>(bytes.data());
    reference.assign(records, records + bytes.size() / sizeof(reference_record));
    return "";
}

int Program::block_of(uint32_t pc) const {
    auto next = blocks.upper_bound(pc);
    return next == blocks.begin() ? -1 : static_cast<int>(std::prev(next)->second);
}

} // namespace cosim
