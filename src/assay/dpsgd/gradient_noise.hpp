#pragma once
#include <cstdint>
#include <span>

#include "assay/parallel/workers.hpp"

namespace assay {

/// Adds independent N(0, deviation^2) to every element: the noise of step `step` of a run.
///   Maths      elements are cut into blocks of 4096; block b of step t draws from the
///              random stream {seed, gradient_noise, t 2^32 + b}, so neither threads nor earlier
///              steps matter
///   Errors     normals by Box and Muller in double precision: no |z| above 8.6 (2e-17 of
///              the mass), sums rounded to single precision, infinite beyond its range.
///              Accountants assume exact normals
///   Domain     deviation >= 0 finite, 0 <= step < 2^32      Cost  about 5 ns an element
///   Throws     DomainError (deviation, step)
void add_gradient_noise(std::span<float> gradient, double deviation, std::uint64_t seed,
                        std::int64_t step, Workers& workers);

}  // namespace assay
