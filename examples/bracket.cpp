// Epsilon and delta of one release: both sides, the theorem behind each, and what they presume.
// cmake -S examples -B build/examples && cmake --build build/examples --target bracket
#include <assay/assay.hpp>
#include <iostream>

namespace {

void print(const char* side, const assay::Bound& bound) {
    const std::string value = bound.direction == assay::Direction::lower
                                  ? assay::text_not_above(bound.value)
                                  : assay::text_not_below(bound.value);
    std::cout << "  " << side << value << "  " << bound.theorem.citation << " ("
              << to_string(bound.theorem.standing) << ", " << to_string(bound.status) << ")\n";
}

void print(const char* what, const assay::Bracket& bracket) {
    std::cout << what << " in " << describe(bracket) << '\n';
    print("upper           ", bracket.upper);
    print("lower           ", bracket.lower);
    print("best published  ", bracket.best_published);
    if (!bracket.note.empty()) std::cout << "  note: " << bracket.note << '\n';
}

}  // namespace

int main() {
    const assay::FixedSizeGaussian step{.noise_multiplier = 6.0,
                                        .sampling_probability = 120.0 / 50'000.0};
    const assay::Release release{assay::Adjacency::replace_one, {{step, 104'166}}};
    print("epsilon at delta = 1e-5", assay::epsilon(release, 1e-5));
    print("delta at epsilon = 1", assay::delta(release, 1.0));
    const assay::Release shuffled{assay::Adjacency::zero_out, {{assay::Shuffled{1.0, 1000}, 1}}};
    print("epsilon of one shuffled epoch at delta = 1e-5", assay::epsilon(shuffled, 1e-5));
    for (const std::string& line : assumptions(release)) std::cout << "- " << line << '\n';
}
