// SPDX-License-Identifier: Apache-2.0
// Reads an XML file with tinyxml2, prints its contents, changes it and writes it. usage: xml INPUT OUTPUT
#include <cstdio>
#include <map>
#include <string>
#include <tinyxml2.h>

static void walk(const tinyxml2::XMLElement *element, int depth, std::map<std::string, int> &counts) {
    for (; element; element = element->NextSiblingElement()) {
        counts[element->Name()]++;
        const char *text = element->GetText();
        std::printf("%*s%s: %s\n", 2 * depth, "", element->Name(), text ? text : "-");
        walk(element->FirstChildElement(), depth + 1, counts);
    }
}

int main(int argc, char **argv) {
    tinyxml2::XMLDocument document;
    if (argc < 3 || document.LoadFile(argv[1]) != tinyxml2::XML_SUCCESS) {
        std::printf("cannot read: %s\n", document.ErrorStr());
        return 1;
    }
    std::map<std::string, int> counts;
    walk(document.RootElement(), 0, counts);
    for (const auto &entry : counts)
        std::printf("%s %d\n", entry.first.c_str(), entry.second);
    document.RootElement()->SetAttribute("seen", 1.5);
    return document.SaveFile(argv[2]) == tinyxml2::XML_SUCCESS ? 0 : 1;
}
