#include "run_benchmarks.hpp"

#include <benchmark/benchmark.h>

#include <fstream>
#include <string>

#include "assay/files/build_info.hpp"
#include "assay/numeric/side_by_side.hpp"

namespace {

/// "Intel(R) Xeon(R) ..." as the kernel names it.
std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0)
            if (const auto colon = line.find(": "); colon != std::string::npos)
                return line.substr(colon + 2);
    return "unknown";
}

}  // namespace

namespace assay::bench {

int run_benchmarks(int argc, char** argv) {
    const BuildInfo& build = build_info();
    benchmark::AddCustomContext("assay_version", build.version);
    benchmark::AddCustomContext("commit", build.commit);
    benchmark::AddCustomContext("dirty", build.dirty ? "true" : "false");
    benchmark::AddCustomContext("compiler", build.compiler);
    benchmark::AddCustomContext("build_type", build.build_type);
    benchmark::AddCustomContext("flags", build.flags);
    for (const auto& [name, version] : build.libraries)
        benchmark::AddCustomContext("library_" + name, version);
    benchmark::AddCustomContext("cpu", processor());
    benchmark::AddCustomContext("threads", "1");

    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    const AloneScope alone;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

}  // namespace assay::bench
