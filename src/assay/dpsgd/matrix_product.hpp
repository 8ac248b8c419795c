#pragma once
#include <Eigen/Core>

namespace assay {

/// A matrix where it lies: element (i, j) at data[i row_step + j column_step]. One step is 1.
template <class Real>
struct Factor {
    const Real* data;
    Eigen::Index rows;
    Eigen::Index columns;
    Eigen::Index row_step;
    Eigen::Index column_step;

    [[nodiscard]] Factor transposed() const { return {data, columns, rows, column_step, row_step}; }
};

/// A matrix that lies column after column without gaps.
template <class Real>
Factor<Real> dense_factor(const Real* data, Eigen::Index rows, Eigen::Index columns) {
    return {data, rows, columns, 1, rows};
}

/// C += A B, C column after column, `c_step` from one to the next.
///   Maths      every element is c + a_1 b_1 + a_2 b_2 + .. in this order, a rounding an operation:
///              its bits depend neither on the machine's caches nor on its vectors nor on how a
///              larger product is cut, which those of Eigen's product do
///   Cost       about 40 additions and multiplications a nanosecond with AVX2 (float, one thread)
///   Throws     std::bad_alloc; 0.4 MB of buffers a thread
void add_product(const Factor<float>& a, const Factor<float>& b, float* c, Eigen::Index c_step);
void add_product(const Factor<double>& a, const Factor<double>& b, double* c, Eigen::Index c_step);
void add_product(const Factor<long double>& a, const Factor<long double>& b, long double* c,
                 Eigen::Index c_step);

}  // namespace assay
