#pragma once

/// The public interface of the component `monte_carlo`: delta of balls-and-bins by sampling, with
/// confidence bounds (chua2025), and runs that are the same bits on any number of threads and ranks
/// and after interruptions.
///
///   what is drawn   MonteCarloPlan, MonteCarloSampler; ConditionalPlan, ConditionalSampler
///   a run of it     RunShape, run_trials with Checkpoint, Ranks and RunOptions
///   what it says    estimate -> DeltaEstimate; conditional_estimate -> MeanEstimate;
///                   loss_second_moments, shared_error_probability

#include "assay/assay.hpp"
#include "assay/monte_carlo/checkpoint.hpp"
#include "assay/monte_carlo/conditional_monte_carlo.hpp"
#include "assay/monte_carlo/confidence.hpp"
#include "assay/monte_carlo/delta_estimate.hpp"
#include "assay/monte_carlo/loss_second_moment.hpp"
#include "assay/monte_carlo/monte_carlo.hpp"
#include "assay/monte_carlo/ranks.hpp"
#include "assay/monte_carlo/run_trials.hpp"
#include "assay/monte_carlo/trial_blocks.hpp"
