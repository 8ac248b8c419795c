#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace assay {

/// The least concave majorant of log g at the right ends of cells, from `from` on: slopes and
/// support values.
class ConcaveMajorant {
public:
    ConcaveMajorant(const std::vector<double>& density, std::size_t from, double first,
                    double step) {
        for (std::size_t j = from; j < density.size(); ++j) {
            if (!(density[j] > 0.0)) continue;
            const Vertex next{first + step * static_cast<double>(j + 1), std::log(density[j])};
            while (vertices_.size() >= 2 &&
                   slope(vertices_.size() - 2) <= (next.height - vertices_.back().height) /
                                                      (next.place - vertices_.back().place))
                vertices_.pop_back();
            while (vertices_.size() == 1 && next.height >= vertices_.back().height)
                vertices_.pop_back();
            vertices_.push_back(next);
        }
    }
    /// A slope in [steepest, 0] that fits near `place`; places come in increasing order.
    [[nodiscard]] double slope_at(double place, double steepest) {
        if (vertices_.size() < 2) return 0.0;
        while (at_ + 2 < vertices_.size() && vertices_[at_ + 1].place <= place &&
               slope(at_) > steepest)
            ++at_;
        return std::clamp(slope(at_), steepest, 0.0);
    }
    /// max_j (log g_j - slope y_{j+1}) over the vertices, by slopes that fall.
    [[nodiscard]] double support(double slope) const {
        double best = -std::numeric_limits<double>::infinity();
        const std::size_t low = at_ > 2 ? at_ - 2 : 0;
        for (std::size_t i = low; i < std::min(vertices_.size(), at_ + 4); ++i)
            best = std::max(best, vertices_[i].height - slope * vertices_[i].place);
        return best;
    }
    [[nodiscard]] bool empty() const { return vertices_.empty(); }

private:
    struct Vertex {
        double place;
        double height;
    };
    [[nodiscard]] double slope(std::size_t i) const {
        return (vertices_[i + 1].height - vertices_[i].height) /
               (vertices_[i + 1].place - vertices_[i].place);
    }
    std::vector<Vertex> vertices_;
    std::size_t at_ = 0;
};

}  // namespace assay
