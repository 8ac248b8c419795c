#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "assay/files/atomic_file.hpp"
#include "fuzz/target.hpp"

// usage: assay_fuzz_replay CORPUS: tries each file of CORPUS/<target>, for every target.

namespace {

std::map<std::string, fuzz::Target>& targets() {
    static std::map<std::string, fuzz::Target> all;
    return all;
}

}  // namespace

fuzz::Registration::Registration(const char* name, Target target) {
    targets()[name] = target;
}

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: assay_fuzz_replay CORPUS\n");
        return 2;
    }
    for (const auto& [name, target] : targets()) {
        const std::filesystem::path folder = std::filesystem::path(argv[1]) / name;
        int tried = 0;
        fuzz::run(target, "");
        if (std::filesystem::is_directory(folder))
            for (const auto& entry : std::filesystem::directory_iterator(folder)) {
                std::printf("%s\n", entry.path().c_str());
                std::fflush(stdout);  // names the input at which the process ends
                fuzz::run(target, assay::read_file(entry.path()));
                ++tried;
            }
        if (tried == 0) {
            std::fprintf(stderr, "%s: no corpus in %s\n", name.c_str(), folder.c_str());
            return 1;
        }
        std::printf("%s: %d inputs\n", name.c_str(), tried);
    }
}
