#pragma once
#include "assay/numeric/enclosure.hpp"

namespace assay {

/// The general bound of wang2019 on fixed-size subsampling, for the Gaussian (epsilon(j) =
/// 2j/sigma^2).
///   Maths      birrell2024 (127) at integer orders:
///              K(a) = log[1 + 2 q^2 a (a-1) (e^{4/sigma^2} - 1)
///                         + sum_{j=3}^a 2 C(a,j) q^j e^{2j(j-1)/sigma^2}],  K(a)/(a-1);
///              (130) between integers: ((1-f) K(floor a) + f K(floor a + 1))/(a-1), f = a - floor
///              a; (132) for 1 < a < 2: the value at 2
///   Domain     order > 1, sigma > 0, 0 <= q <= 1            Units  nats
///   Direction  enclosure; [0, inf] beyond order 1e6         Cost   order exponentials
///   Throws     DomainError
[[nodiscard]] Enclosure wang_upper_rdp(double order, double sigma, double q);

/// The matching lower bound of wang2019 Prop 11.
///   Maths      birrell2024 (133) = log H / (a-1), summed as
///              H - 1 = sum_{k=2}^a Bin(k; a, q) (e^{2k(k-1)/sigma^2} - 1)
///   Domain     integer order >= 2, sigma > 0, 0 <= q < 1    Units  nats
///   Direction  enclosure; [0, inf] beyond order 1e6         Throws  DomainError
[[nodiscard]] Enclosure wang_lower_rdp(int order, double sigma, double q);

}  // namespace assay
