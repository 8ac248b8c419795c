#include "assay/dpsgd/matrix_product.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "assay/numeric/vector_clones.hpp"

namespace assay {

namespace {

using Eigen::Index;

// Blocks that stay in the caches: a slice of A in the second level, a panel of B in the first.
constexpr Index depth_block = 256;
constexpr Index row_block = 128;
constexpr Index column_block = 256;
constexpr Index tile_columns = 4;

/// Two 256-bit vectors of rows are a tile's column. (GCC takes attributes that depend on a
/// template's parameter in a typedef alone.)
template <class Real>
struct Tile {
    // NOLINTNEXTLINE(modernize-use-using)
    typedef Real Vector __attribute__((vector_size(32), aligned(alignof(Real)), may_alias));
    static constexpr Index lanes = 32 / static_cast<Index>(sizeof(Real));
    static constexpr Index rows = 2 * lanes;
};

/// Panels of `Width` rows of `a` (of rows [row, row + rows), columns [k, k + depth)), each column
/// of a panel side by side; missing rows are 0.
template <Index Width, class Real>
void pack(const Factor<Real>& a, Index row, Index rows, Index k, Index depth, Real* out) {
    for (Index panel = 0; panel < rows; panel += Width, out += Width * depth) {
        const Index count = std::min(Width, rows - panel);
        const Real* from = a.data + (row + panel) * a.row_step + k * a.column_step;
        if (count < Width) std::fill_n(out, Width * depth, Real(0));
        if (a.row_step == 1)
            for (Index j = 0; j < depth; ++j)
                if (count == Width)
                    std::memcpy(out + j * Width, from + j * a.column_step, Width * sizeof(Real));
                else
                    std::copy_n(from + j * a.column_step, count, out + j * Width);
        else
            for (Index i = 0; i < count; ++i)
                for (Index j = 0; j < depth; ++j)
                    out[j * Width + i] = from[i * a.row_step + j * a.column_step];
    }
}

/// One tile of C += panel of A times panel of B.
template <class Real>
ASSAY_INLINE void tile_product(const Real* a, const Real* b, Index depth, Real* c, Index c_step) {
    using Vector = typename Tile<Real>::Vector;
    constexpr Index lanes = Tile<Real>::lanes;
    Vector sum[tile_columns][2];
    for (Index j = 0; j < tile_columns; ++j)
        for (Index half = 0; half < 2; ++half)
            sum[j][half] = *reinterpret_cast<const Vector*>(c + j * c_step + half * lanes);
    for (Index k = 0; k < depth; ++k, a += 2 * lanes, b += tile_columns) {
        const Vector low = *reinterpret_cast<const Vector*>(a);
        const Vector high = *reinterpret_cast<const Vector*>(a + lanes);
        for (Index j = 0; j < tile_columns; ++j) {
            sum[j][0] += low * b[j];
            sum[j][1] += high * b[j];
        }
    }
    for (Index j = 0; j < tile_columns; ++j)
        for (Index half = 0; half < 2; ++half)
            *reinterpret_cast<Vector*>(c + j * c_step + half * lanes) = sum[j][half];
}

/// All tiles of a block of C; those at the edge go through a full tile of their own.
template <class Real>
ASSAY_INLINE void block_product(const Real* a, const Real* b, Index rows, Index columns,
                                Index depth, Real* c, Index c_step) {
    constexpr Index tile_rows = Tile<Real>::rows;
    for (Index j = 0; j < columns; j += tile_columns)
        for (Index i = 0; i < rows; i += tile_rows) {
            const Index height = std::min(tile_rows, rows - i);
            const Index width = std::min(tile_columns, columns - j);
            Real* corner = c + i + j * c_step;
            if (height == tile_rows && width == tile_columns) {
                tile_product(a + i * depth, b + j * depth, depth, corner, c_step);
                continue;
            }
            Real edge[tile_rows * tile_columns] = {};
            for (Index column = 0; column < width; ++column)
                for (Index row = 0; row < height; ++row)
                    edge[row + column * tile_rows] = corner[row + column * c_step];
            tile_product(a + i * depth, b + j * depth, depth, edge, tile_rows);
            for (Index column = 0; column < width; ++column)
                for (Index row = 0; row < height; ++row)
                    corner[row + column * c_step] = edge[row + column * tile_rows];
        }
}

ASSAY_VECTOR_CLONES
void run_block(const float* a, const float* b, Index rows, Index columns, Index depth, float* c,
               Index c_step) {
    block_product(a, b, rows, columns, depth, c, c_step);
}

ASSAY_VECTOR_CLONES
void run_block(const double* a, const double* b, Index rows, Index columns, Index depth, double* c,
               Index c_step) {
    block_product(a, b, rows, columns, depth, c, c_step);
}

template <class Real>
void add_blocked(const Factor<Real>& a, const Factor<Real>& b, Real* c, Index c_step) {
    constexpr Index tile_rows = Tile<Real>::rows;
    thread_local std::vector<Real> a_panels(row_block * depth_block);
    thread_local std::vector<Real> b_panels(column_block * depth_block);
    static_assert(row_block % tile_rows == 0 && column_block % tile_columns == 0);
    const Factor<Real> b_rows = b.transposed();
    for (Index j = 0; j < b.columns; j += column_block)
        for (Index k = 0; k < a.columns; k += depth_block) {
            const Index columns = std::min(column_block, b.columns - j);
            const Index depth = std::min(depth_block, a.columns - k);
            pack<tile_columns>(b_rows, j, columns, k, depth, b_panels.data());
            for (Index i = 0; i < a.rows; i += row_block) {
                const Index rows = std::min(row_block, a.rows - i);
                pack<tile_rows>(a, i, rows, k, depth, a_panels.data());
                run_block(a_panels.data(), b_panels.data(), rows, columns, depth,
                          c + i + j * c_step, c_step);
            }
        }
}

}  // namespace

void add_product(const Factor<float>& a, const Factor<float>& b, float* c, Index c_step) {
    add_blocked(a, b, c, c_step);
}

void add_product(const Factor<double>& a, const Factor<double>& b, double* c, Index c_step) {
    add_blocked(a, b, c, c_step);
}

void add_product(const Factor<long double>& a, const Factor<long double>& b, long double* c,
                 Index c_step) {
    for (Index j = 0; j < b.columns; ++j)
        for (Index k = 0; k < a.columns; ++k)
            for (Index i = 0; i < a.rows; ++i)
                c[i + j * c_step] += a.data[i * a.row_step + k * a.column_step] *
                                     b.data[k * b.row_step + j * b.column_step];
}

}  // namespace assay
