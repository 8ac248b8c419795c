#include "verify/checks/attack_parts.hpp"
#include "verify/rows.hpp"

namespace assay::verify {

Check lemma_row(std::string id, std::string claim, std::string subject, std::string other,
                Relation relation, Space space, int quick, int full, ClaimedValue left,
                Attained right) {
    Check check;
    check.id = std::move(id);
    check.claim = std::move(claim);
    check.subject = std::move(subject);
    check.oracle = std::move(other);
    check.relation = relation;
    check.kind = Kind::attack;
    check.space = std::move(space);
    check.quick_points = quick;
    check.full_points = full;
    check.evaluate = std::move(left);
    check.truth = std::move(right);
    return check;
}

Check attack_row(std::string id, std::string claim, std::string subject, std::string example,
                 Space space, int quick, int full, ClaimedValue claimed, Attained attained) {
    Check check = lemma_row(std::move(id), std::move(claim), std::move(subject), std::move(example),
                            Relation::at_least, std::move(space), quick, full, std::move(claimed),
                            std::move(attained));
    check.searched = true;
    return check;
}

Attained pair_divergence(std::function<lemma::MomentAttack(const Point&)> pair) {
    return [pair = std::move(pair)](const Point& point, long bits) {
        return Interval(lemma::divergence_at_least(pair(point)), bits);
    };
}

std::vector<Check> attack_rows() {
    return joined({fixed_size_attacks, poisson_attacks, with_replacement_attacks,
                   hockey_stick_attacks, one_jump_attacks, neighbour_attacks, interpolation_lemmas,
                   logistic_lemmas, mixture_lemmas, accounting_lemmas});
}

}  // namespace assay::verify
