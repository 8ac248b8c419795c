#include "assay/privacy/release.hpp"

namespace assay {

std::string describe(const Release& release) {
    return describe(release.phases, release.adjacency);
}

}  // namespace assay
