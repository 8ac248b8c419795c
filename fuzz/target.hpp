#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

/// One fuzz target: FUZZ_TARGET(name) { ... } with the bytes in `input`, in a file of its own. What
/// it calls may throw an assay::Error, the refusal of a bad input; everything else is a finding:
/// another exception, a sanitizer's report, fuzz::require.
/// Built with ASSAY_FUZZ each file is a program of libFuzzer; otherwise all of them are in
/// assay_fuzz_replay, which tries the files of a corpus.
namespace fuzz {

using Target = void (*)(std::string_view input);

/// Runs a target on an input; refusals are as good as answers.
void run(Target target, std::string_view input);

/// Ends the process with the reason unless `holds`.
void require(bool holds, const char* what);

/// Adds a target to those of assay_fuzz_replay.
struct Registration {
    Registration(const char* name, Target target);
};

}  // namespace fuzz

#ifdef ASSAY_LIBFUZZER
#define FUZZ_ENTRY(name)                                                                \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
        fuzz::run(try_##name, {reinterpret_cast<const char*>(data), size});             \
        return 0;                                                                       \
    }
#else
#define FUZZ_ENTRY(name) static const fuzz::Registration register_##name(#name, try_##name);
#endif

#define FUZZ_TARGET(name)                           \
    static void try_##name(std::string_view input); \
    FUZZ_ENTRY(name)                                \
    static void try_##name(std::string_view input)
