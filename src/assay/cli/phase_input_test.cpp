#include "assay/cli/phase_input.hpp"

#include <catch2/catch.hpp>

#include "assay/cli/order_list.hpp"
#include "assay/cli/schedule.hpp"
#include "assay/numeric/errors.hpp"

using namespace assay;
using namespace assay::cli;

namespace {

template <class Action>
std::string message_of(Action action) {
    try {
        (void)action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

std::string refusal(std::string_view fields) {
    return message_of([&] { return read_phase(phase_fields(fields), std::nullopt); });
}

}  // namespace

TEST_CASE("epochs become steps, and the description says how", "[cli]") {
    const PhaseInput input =
        read_phase(phase_fields("sampling=fixed-size-without-replacement,noise-multiplier=6,"
                                "batch-size=120,dataset-size=5e4,epochs=250"),
                   std::nullopt);
    CHECK(input.phase.repetitions == 104250);
    CHECK(std::get<FixedSizeGaussian>(input.phase.mechanism).sampling_probability == 0.0024);
    CHECK(
        input.description() ==
        "fixed-size sampling without replacement, noise multiplier 6, sampling probability 0.0024 "
        "= 120/50000; 104250 steps = ceil(epochs ceil(|D|/|B|)) = ceil(250 * 417) (104000 where "
        "incomplete batches are dropped)");
    // 1.1 * 10 exceeds 11 as doubles do; half an epoch more takes a step more.
    CHECK(read_phase(phase_fields("sampling=poisson,noise-multiplier=6,batch-size=10,"
                                  "dataset-size=100,epochs=1.1"),
                     std::nullopt)
              .phase.repetitions == 11);
    CHECK(read_phase(phase_fields("sampling=poisson,noise-multiplier=6,batch-size=10,"
                                  "dataset-size=100,epochs=1.15"),
                     std::nullopt)
              .phase.repetitions == 12);
    CHECK(read_phase(phase_fields("sampling=none,noise-multiplier=6,epochs=3"), std::nullopt)
              .phase.repetitions == 3);
    CHECK(read_phase(phase_fields("sampling=poisson,noise-multiplier=6,sampling-probability=0.25,"
                                  "epochs=3"),
                     std::nullopt)
              .phase.repetitions == 12);
}

TEST_CASE("epoch samplers take batches, or the sizes that they follow from", "[cli]") {
    const PhaseInput given = read_phase(
        phase_fields("sampling=shuffle,noise-multiplier=2,batches-per-epoch=50"), std::nullopt);
    CHECK(std::get<Shuffled>(given.phase.mechanism).batches_per_epoch == 50);
    CHECK(given.phase.repetitions == 1);
    CHECK(given.description() ==
          "shuffle batches, noise multiplier 2, 50 batches in an epoch; 1 epoch");
    const PhaseInput sized =
        read_phase(phase_fields("sampling=balls-and-bins,noise-multiplier=2,batch-size=120,"
                                "dataset-size=50000,epochs=3"),
                   7);
    CHECK(std::get<BallsAndBins>(sized.phase.mechanism).batches_per_epoch == 416);
    CHECK(sized.phase.repetitions == 3);
    CHECK(sized.description() ==
          "balls-and-bins batches, noise multiplier 2, 416 batches in an epoch = floor(|D|/|B|) = "
          "floor(50000/120) (417 with the incomplete batch); 3 epochs");
    CHECK(sized.to_json()["epochs"] == 3);
    CHECK(refusal("sampling=shuffle,noise-multiplier=2,batches-per-epoch=5,epochs=0.5") ==
          "epochs = 0.5 is not admitted: an integer from 1 to 100000");
    CHECK(refusal("sampling=shuffle,noise-multiplier=2,batches-per-epoch=5,batch-size=5") ==
          "batch-size = 5 is not admitted: either the sizes or batches-per-epoch, not both");
}

TEST_CASE("a phase that makes no sense is refused in one line", "[cli]") {
    const std::string admitted =
        "poisson, poisson-truncated, fixed-size-without-replacement, fixed-size-with-replacement, "
        "none, "
        "balls-and-bins, random-allocation, shuffle or deterministic";
    CHECK(refusal("steps=3") == "sampling is missing: " + admitted);
    CHECK(refusal("sampling=uniform,noise-multiplier=1") ==
          "sampling = uniform is not admitted: " + admitted);
    CHECK(refusal("sampling=poisson") == "noise-multiplier is missing: a positive finite number");
    for (const char* noise : {"nan", "inf", "-1", "0", "abc", ""})
        CHECK(refusal("sampling=none,steps=1,noise-multiplier=" + std::string(noise)) ==
              "noise-multiplier = " + std::string(noise) +
                  " is not admitted: a positive finite number");
    for (const char* q : {"1", "-0.1", "nan"})
        CHECK(refusal("sampling=poisson,noise-multiplier=1,steps=1,sampling-probability=" +
                      std::string(q)) ==
              "sampling-probability = " + std::string(q) +
                  " is not admitted: 0 <= q < 1 (sampling none takes every record in every step)");
    CHECK(refusal("sampling=poisson,noise-multiplier=2,sampling-probability=1e-400,steps=2") ==
          "sampling-probability = 1e-400 is not admitted: 0, or not below the least double, "
          "4.9e-324");
    for (const char* steps : {"0", "-3", "1.5", "many", "1e30"})
        CHECK(refusal("sampling=none,noise-multiplier=1,steps=" + std::string(steps)) ==
              "steps = " + std::string(steps) +
                  " is not admitted: an integer from 1 to 1000000000000");
    CHECK(refusal("sampling=none,noise-multiplier=1") == "steps is missing: steps or epochs");
    CHECK(refusal("sampling=none,noise-multiplier=1,steps=2,epochs=3") ==
          "epochs = 3 is not admitted: either steps or epochs, not both");
    CHECK(refusal("sampling=none,noise-multiplier=1,epochs=2e12") ==
          "epochs = 2e12 is not admitted: 1 to 1000000000000 steps, these are 2000000000000");
    CHECK(refusal("sampling=poisson,noise-multiplier=1,batch-size=20,dataset-size=10,steps=1") ==
          "batch-size = 20 is not admitted: less than the dataset-size 10 (sampling none takes "
          "every record in every step)");
    CHECK(refusal("sampling=poisson,noise-multiplier=1,batch-size=20,steps=1") ==
          "dataset-size is missing: sampling poisson takes batch-size and dataset-size");
    CHECK(refusal("sampling=none,noise-multiplier=1,sampling-probability=0.1,steps=1") ==
          "sampling-probability = 0.1 is not admitted: to be left out with sampling none: every "
          "record takes part in every step");
    CHECK(refusal("sampling=fixed-size-with-replacement,noise-multiplier=1,"
                  "sampling-probability=0.1,steps=1") ==
          "sampling-probability = 0.1 is not admitted: to be left out with sampling "
          "fixed-size-with-replacement: it takes batch-size and dataset-size");
    CHECK(refusal("sampling=none,sampling=none") ==
          "phase = sampling=none is not admitted: each name once");
    CHECK(refusal("sampling=none,colour=red") ==
          "phase = colour=red is not admitted: name=value with a name among sampling, "
          "noise-multiplier, batch-size, dataset-size, sampling-probability, steps, "
          "batches-per-epoch, allocations, maximum-batch-size, "
          "epochs");
}

TEST_CASE("a schedule is a list of phases", "[cli]") {
    std::vector<PhaseInput> phases;
    parse_schedule(
        "[[phase]]\nsampling = \"poisson\"\nnoise-multiplier = 2\nsampling-probability = 0.01\n"
        "steps = 500\n[[phase]]\nsampling = \"none\"\nnoise-multiplier = \"30.5\"\nepochs = 2\n",
        "plan.toml",
        [&](const Fields& fields) { phases.push_back(read_phase(fields, std::nullopt)); });
    REQUIRE(phases.size() == 2);
    CHECK(std::get<SampledGaussian>(phases[0].phase.mechanism).sampling_probability == 0.01);
    CHECK(std::get<Gaussian>(phases[1].phase.mechanism).noise_multiplier == 30.5);
    CHECK(phases[1].phase.repetitions == 2);
}

TEST_CASE("a faulty schedule is refused with its line", "[cli]") {
    const auto refused = [](const char* text) {
        return message_of([&] {
            parse_schedule(text, "plan.toml", [](const Fields& fields) {
                static_cast<void>(read_phase(fields, std::nullopt));
            });
            return 0;
        });
    };
    CHECK(refused("") == "plan.toml: has no [[phase]] table");
    CHECK(refused("[phase]\nsteps = 1\n") == "plan.toml: has no [[phase]] table");
    CHECK(refused("\nphases = 1\n") == "plan.toml:2: phases is no part of a schedule: [[phase]]");
    CHECK(refused("[[phase]]\nsampling = [1]\n") ==
          "plan.toml:2: sampling is neither a number nor a text");
    CHECK(refused("[[phase]]\ncolour = 1\n") ==
          "plan.toml:2: colour is no field of a phase: sampling, noise-multiplier, batch-size, "
          "dataset-size, sampling-probability, steps, batches-per-epoch, allocations, "
          "maximum-batch-size, epochs");
    CHECK(refused("[[phase]]\nsampling = \"none\"\nnoise-multiplier = 1\nsteps = 0\n") ==
          "plan.toml:1: phase 1: steps = 0 is not admitted: an integer from 1 to 1000000000000");
    CHECK(refused("[[phase\n").starts_with("plan.toml:1: "));
    for (const char* header : {"[[[[a", "[[[", "[,]", "[=]\n"})
        CHECK(refused(header).starts_with("plan.toml"));
    CHECK(refused("a = '''\n'''\n") == "plan.toml:1: has a text of several lines");
    CHECK_THROWS_AS(read_schedule("no/such/file.toml", [](const Fields&) {}), FileError);
}

TEST_CASE("orders are lists, ranges and grids, each the nearest double", "[cli]") {
    CHECK(read_orders("2,4,8") == std::vector<double>{2, 4, 8});
    CHECK(read_orders("1.1:1.5:0.1,12") == std::vector<double>{1.1, 1.2, 1.3, 1.4, 1.5, 12});
    CHECK(read_orders("1.1:10.9:0.1,12:63:1") == read_orders("opacus"));
    std::vector<double> mixed = read_orders("opacus");
    mixed.insert(mixed.begin(), 1.05);
    mixed.push_back(128);
    CHECK(read_orders("1.05,opacus,128") == mixed);
    for (const char* text : {"", "1", "0.5", "2,,3", "opacus,", "opacus:2:1", "2:1:1", "2:3:0",
                             "2:3", "nan", "inf", "2:1e9:0.1", "a", "2:3:nan", "2:inf:1", "2;3"})
        CHECK_THROWS_AS(read_orders(text), DomainError);
}
