#pragma once
#include <string>

#include "assay/files/atomic_file.hpp"
#include "experiments/figure.hpp"
#include "test_support/scratch_folder.hpp"

namespace assay::experiments {

/// A tiny figure for the tests of the machinery around figures: y = factor * x.
inline FigureResult run_sample(const Params& params) {
    const double factor = params.number("factor");
    Table table({{.name = "x", .unit = "1", .golden_tolerance = 0.0},
                 {.name = "y", .unit = "nats", .golden_tolerance = 1e-9}});
    table.add_series({.name = "line", .label = "a line", .theorem = {"none", Standing::ours}});
    for (const double x : params.numbers("x")) table.add("line", {x, factor * x});
    return {table,
            {{.id = params.text("title"),
              .paper = "sample",
              .where = "Sec 1",
              .statement = "the last point",
              .found = table.values("line", "y").back(),
              .verdict = decide(factor > 0.0)}}};
}

inline const std::vector<Figure>& sample_figures() {
    static const std::vector<Figure> figures = {{"sample/fig01_one", "sample", run_sample},
                                                {"sample/fig02_two", "sample", run_sample}};
    return figures;
}

/// Writes the parameters of both figures into `folder`.
inline void write_sample_parameters(const std::filesystem::path& folder,
                                    const std::string& factor) {
    for (const Figure& figure : sample_figures())
        write_file_atomically(folder / (figure.stem + ".toml"),
                              "title = '" + figure.stem + "'\nfactor = " + factor +
                                  "\nx = { from = 1, to = 3, count = 3 }\n");
}

}  // namespace assay::experiments
