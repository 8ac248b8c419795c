#pragma once

/// The public interface of the component `ldp`: local differential privacy (aydin2024).
///
///   a mechanism     RestrictedResponse, response_distribution, respond
///   its true cost   audit_response, audit_worst_size, audit_matrix -> ResponseAudit
///   frequencies     AdaptiveEstimator with AdaptiveSettings; simulate

#include "assay/assay.hpp"
#include "assay/ldp/adaptive_estimator.hpp"
#include "assay/ldp/response_audit.hpp"
#include "assay/ldp/restricted_response.hpp"
#include "assay/ldp/simulation.hpp"
