#include "assay/numeric/work_limit.hpp"

#include <algorithm>
#include <limits>

namespace assay {

namespace {

/// Half of what the type holds: it is a double as well.
constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max() / 2;

thread_local std::uint64_t done = 0;
thread_local std::uint64_t most = unlimited;

}  // namespace

WorkLimit::WorkLimit(std::uint64_t more) : outer_done_(done), outer_most_(most) {
    most = std::min(more, work_left());
    done = 0;
}

WorkLimit::~WorkLimit() {
    done += outer_done_;
    most = outer_most_;
}

std::uint64_t work_left() {
    return most - done;
}

void count_work(std::uint64_t work) {
    if (work > work_left()) {
        done = most;
        throw WorkEnded();
    }
    done += work;
}

}  // namespace assay
