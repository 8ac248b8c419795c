#include "assay/account/risk_target.hpp"

#include <cmath>
#include <limits>

#include "assay/account/question.hpp"
#include "assay/account/trade_off.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/work_limit.hpp"
#include "assay/privacy/citations.hpp"

namespace assay {

namespace {

struct Validate {
    void operator()(const PrivacyTarget& t) const {
        require(t.epsilon >= 0.0 && std::isfinite(t.epsilon), "epsilon", t.epsilon,
                "0 <= epsilon < inf");
        require(t.delta > 0.0 && t.delta < 1.0, "delta", t.delta, "0 < delta < 1");
    }
    void operator()(const PowerTarget& t) const {
        require(t.false_positive_rate > 0.0 && t.false_positive_rate < 1.0, "false positive rate",
                t.false_positive_rate, "0 < rate < 1");
        require(t.true_positive_rate > t.false_positive_rate && t.true_positive_rate < 1.0,
                "true positive rate", t.true_positive_rate,
                "above the false positive rate and below 1");
    }
    void operator()(const MuTarget& t) const {
        require(t.mu > 0.0 && std::isfinite(t.mu), "mu", t.mu, "0 < mu < inf");
        require(t.smallest_error >= 0.0 && t.smallest_error < 0.5, "smallest error",
                t.smallest_error, "0 <= error < 0.5");
    }
    void operator()(const AdvantageTarget& t) const {
        require(t.advantage > 0.0 && t.advantage < 1.0, "advantage", t.advantage,
                "0 < advantage < 1");
    }
};

struct Risk {
    const Release& release;
    const Goal& goal;
    bool decide;

    [[nodiscard]] Bracket delta_at(double epsilon, double limit) const {
        return answer(release, {.wants_delta = true,
                                .given = epsilon,
                                .goal = goal,
                                .negligible = 0.5 * limit,
                                .cache = nullptr,
                                .limit = decide ? std::optional<double>(limit) : std::nullopt});
    }
    Bracket operator()(const PrivacyTarget& t) const { return delta_at(t.epsilon, t.delta); }
    Bracket operator()(const AdvantageTarget& t) const { return delta_at(0.0, t.advantage); }
    Bracket operator()(const PowerTarget& t) const {
        return within_work(
            1.0, [&] { return true_positive_rate(release, t.false_positive_rate, goal); });
    }
    Bracket operator()(const MuTarget& t) const {
        return within_work(std::numeric_limits<double>::infinity(),
                           [&] { return smallest_mu(release, goal, t.smallest_error); });
    }

    /// Nothing is said where the work that is left does not suffice.
    template <class Ask>
    static Bracket within_work(double trivial_upper, const Ask& ask) {
        constexpr const Theorem& theorem = cite::privacy_loss_distributions;
        Bracket found;
        found.lower = vacuous(Direction::lower, theorem);
        found.upper =
            found.best_published = {trivial_upper, Direction::upper, theorem, Status::vacuous};
        if (!within_part(1.0, [&] { found = ask(); })) found.note = more_work;
        return found;
    }
};

}  // namespace

void validate(const RiskTarget& target) {
    std::visit(Validate{}, target);
}

Bracket risk(const Release& release, const RiskTarget& target, const Goal& goal, bool decide) {
    return std::visit(Risk{release, goal, decide}, target);
}

double limit_of(const RiskTarget& target) {
    struct Limit {
        double operator()(const PrivacyTarget& t) const { return t.delta; }
        double operator()(const PowerTarget& t) const { return t.true_positive_rate; }
        double operator()(const MuTarget& t) const { return t.mu; }
        double operator()(const AdvantageTarget& t) const { return t.advantage; }
    };
    return std::visit(Limit{}, target);
}

const char* risk_name(const RiskTarget& target) {
    constexpr const char* names[] = {"delta", "true_positive_rate", "gaussian_mu", "advantage"};
    return names[target.index()];
}

}  // namespace assay
