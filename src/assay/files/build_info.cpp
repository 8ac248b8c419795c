#include "assay/files/build_info.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <oneapi/tbb/version.h>
#if __has_include(<toml++/impl/version.h>)
#include <toml++/impl/version.h>
#else  // from toml++ 3.4 on
#include <toml++/impl/version.hpp>
#endif
#include <Eigen/Core>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>

#include "commit.hpp"
#include "toolchain.hpp"

namespace assay {
namespace {

std::string dotted(int major, int minor, int patch) {
    return fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace

const BuildInfo& build_info() {
    static const BuildInfo info{
        .version = ASSAY_VERSION,
        .commit = ASSAY_COMMIT,
        .dirty = ASSAY_DIRTY,
        .compiler = ASSAY_COMPILER,
        .build_type = ASSAY_BUILD_TYPE,
        .flags = ASSAY_FLAGS,
        .libraries = {
            {"boost",
             dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
            {"eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
            {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
            {"libc", gnu_get_libc_version()},
            {"nlohmann_json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                     NLOHMANN_JSON_VERSION_PATCH)},
            {"tbb", dotted(TBB_VERSION_MAJOR, TBB_VERSION_MINOR, TBB_VERSION_PATCH)},
            {"toml++", dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)}}};
    return info;
}

std::string version_line() {
    const BuildInfo& info = build_info();
    return fmt::format("{} (commit {}{})", info.version, info.commit,
                       info.dirty ? " + changes" : "");
}

}  // namespace assay
