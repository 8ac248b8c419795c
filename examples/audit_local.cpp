// The true epsilon of mechanisms of local differential privacy, with answers that attain it.
// cmake -S examples -B build/examples && cmake --build build/examples --target audit_local
#include <assay/ldp.hpp>
#include <cstdio>

namespace {

void print(const char* name, const assay::ResponseAudit& audit) {
    std::printf("%-45s %s <= epsilon <= %s: response %d tells %d from %d\n", name,
                assay::text_not_above(audit.epsilon.lower, 6).c_str(),
                assay::text_not_below(audit.epsilon.upper, 6).c_str(), audit.response, audit.truth,
                audit.other_truth);
}

}  // namespace

int main() {
    // Restricted response of 20 categories, meant to have epsilon = 1: by the theorem of its
    // authors, and as their program computes it.
    assay::RestrictedResponse mechanism{.categories = 20, .epsilon = 1.0, .budget_share = 0.8};
    print("restricted response, by the theorem", audit_worst_size(mechanism));
    mechanism.variant = assay::ResponseVariant::as_released;
    print("restricted response, as released", audit_worst_size(mechanism));

    // Any mechanism: row x holds the probabilities of the answers to x.
    const double matrix[] = {0.7, 0.2, 0.1,  //
                             0.2, 0.6, 0.2,  //
                             0.1, 0.2, 0.7};
    print("a matrix", assay::audit_matrix(matrix, 3, 3));
}
