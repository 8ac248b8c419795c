#include "fuzz/target.hpp"

#include <cstdio>
#include <cstdlib>

#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"

namespace fuzz {

void run(Target target, std::string_view input) {
    try {
        target(input);
    } catch (const assay::InternalError& error) {
        require(false, error.what());
    } catch (const assay::Error&) {
    } catch (const assay::Interrupted&) {
    }
}

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "fuzz: %s\n", what);
    std::abort();
}

}  // namespace fuzz
