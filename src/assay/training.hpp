#pragma once

/// The public interface of the component `training`: DP-SGD whose sampler is the one accounted for.
///
///   data       Dataset, load_dataset, split
///   a run      TrainingPlan, Trainer, run_training, evaluate; Architecture
///   batches    BatchSampling, BatchSampler
///   a ledger   PrivacyLedger: the account of a run, also of one with a training loop of its own

#include "assay/assay.hpp"
#include "assay/batch_sampling/batch_sampler.hpp"
#include "assay/batch_sampling/batch_sampling.hpp"
#include "assay/datasets/load_dataset.hpp"
#include "assay/datasets/split.hpp"
#include "assay/dpsgd/architecture.hpp"
#include "assay/dpsgd/evaluation.hpp"
#include "assay/dpsgd/privacy_ledger.hpp"
#include "assay/dpsgd/trainer.hpp"
#include "assay/dpsgd/training_plan.hpp"
#include "assay/dpsgd/training_run.hpp"
