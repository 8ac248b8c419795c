#pragma once

/// The public interface of the component `accounting`: what a release costs in privacy, as brackets
/// that hold for certain. docs/api.md explains it; examples/ has a program for each task.
///
///   what was released    Release, Phase, Adjacency, and the mechanisms Gaussian, SampledGaussian,
///                        TruncatedPoissonGaussian, FixedSizeGaussian,
///                        FixedSizeWithReplacementGaussian, BallsAndBins, RandomAllocation,
///                        Shuffled, DeterministicBatches; validate, require_theorem, describe,
///                        assumptions
///   its cost             epsilon, delta, delta_curve -> Bracket; make_epoch_cache, for more epochs
///   how close            Goal, StandingFilter; goal_of an Effort, with_gap
///   what attackers can do  trade_off, trade_off_at -> TradeOff (TestDirection): true positive
///                        rates, errors, predictive values, Bayes risk, GaussianMu, its regret,
///                        reconstruction, groups; true_positive_rate, type_two_error, advantage,
///                        gaussian_mu, smallest_mu, delta_of_group, epsilon_of_group
///   the noise it needs   calibrate -> Calibration, for a RiskTarget: PrivacyTarget, PowerTarget,
///                        MuTarget, AdvantageTarget
///   what it may have     largest_repetitions, largest_sampling_probability, largest_batch_size,
///                        largest_allowed -> LargestAllowed
///   which sampler        compare_noise, compare_epsilon -> ComparedSampler
///   parameters chosen    PrivacyFilter: refuses the step that would exceed a target; filter_orders
///     on the way
///   one accountant       epsilon_by, delta_by an Accountant: Renyi divergences or privacy loss
///                        distributions
///   Renyi divergences    exact_rdp, published_rdp, one_step_rdp -> OneStep; RdpCurve, exact_curve,
///                        repeated, composed, curve_epsilon; mironov2017_epsilon,
///                        balle2020_epsilon, canonne2020_epsilon, canonne2020_delta
///   an answer            Bound (value, Direction, Theorem with its Standing, Status), Enclosure
///   as text              describe; text_not_below, text_not_above: rounded to the side they are on
///   ending a long call   InterruptionScope, Interrupted
///   threads              AloneScope: an answer takes no second one
///   what is thrown       Error: DomainError and its NoSufficientNoise, UnsupportedMechanism,
///                        DirectionError, FileError, InternalError
///
/// Every function is free of shared state: any number of threads may call. Scopes belong to their
/// thread.

#ifdef __FAST_MATH__
#error "assay rounds to a side: do not compile what includes it with -ffast-math"
#endif

#include "assay/account/account.hpp"
#include "assay/account/bracket.hpp"
#include "assay/account/calibrate.hpp"
#include "assay/account/compare.hpp"
#include "assay/account/group_risk.hpp"
#include "assay/account/one_accountant.hpp"
#include "assay/account/privacy_filter.hpp"
#include "assay/account/solve.hpp"
#include "assay/account/trade_off.hpp"
#include "assay/numeric/bound.hpp"
#include "assay/numeric/enclosure.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/interruption.hpp"
#include "assay/numeric/number_text.hpp"
#include "assay/numeric/side_by_side.hpp"
#include "assay/privacy/adjacency.hpp"
#include "assay/privacy/assumptions.hpp"
#include "assay/privacy/mechanism.hpp"
#include "assay/privacy/release.hpp"
#include "assay/rdp/one_step.hpp"
#include "assay/rdp/rdp_curve.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"
