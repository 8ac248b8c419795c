#include "experiments/runner.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/side_by_side.hpp"
#include "experiments/provenance.hpp"
#include "experiments/result_files.hpp"

namespace assay::experiments {
namespace {

namespace fs = std::filesystem;

struct Job {
    Figure figure;
    Params params;
    std::string failure;
};

fs::path toml_of(const Figure& figure, const RunOptions& options) {
    return options.parameters / (figure.stem + ".toml");
}

bool is_fresh(const Figure& figure, const RunOptions& options) {
    if (!is_whole(options.out, figure.stem)) return false;
    const ResultFiles files = result_files(options.out, figure.stem);
    const auto table = fs::last_write_time(files.csv);
    // The table is written before its record: one that is newer was changed by somebody else.
    return table <= fs::last_write_time(files.json) &&
           table > fs::last_write_time(options.program) &&
           table > fs::last_write_time(toml_of(figure, options));
}

/// A preset that some figures lack is none for them; one that all of them lack was not meant.
void require_preset(const std::vector<Figure>& all, const RunOptions& options) {
    const auto has_it = [&](const Figure& figure) {
        return Params::from_file(toml_of(figure, options)).has_preset(options.preset);
    };
    if (!options.preset.empty() && std::ranges::none_of(all, has_it))
        throw DomainError("preset", options.preset, "one that the parameters of a figure have");
}

/// Runs one figure and writes its two files.
void run_one(const Job& job, const RunOptions& options) {
    const Params& params = job.params;
    Provenance provenance{.stem = job.figure.stem,
                          .paper = job.figure.paper,
                          .title = params.text("title"),
                          .notes = {},
                          .parameters = params.to_json(),
                          .threads = options.threads};
    if (params.has("seed")) provenance.seed = params.integer("seed");

    const auto start = std::chrono::steady_clock::now();
    const FigureResult result = job.figure.run(params);
    provenance.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    provenance.notes = result.notes;
    if (params.has("notes"))
        for (const std::string& note : params.texts("notes")) provenance.notes.push_back(note);
    params.require_all_read();

    // Both texts exist before the first file is touched: a NaN or a bad claim leaves nothing
    // behind.
    const std::string csv = result.table.to_csv();
    provenance.table_crc32 = table_checksum(csv);
    const std::string json = provenance_to_json(provenance, result.table, result.claims);
    const ResultFiles files = result_files(options.out, job.figure.stem);
    write_file_atomically(files.csv, csv);
    write_file_atomically(files.json, json);
}

}  // namespace

std::vector<std::string> run_figures(const std::vector<Figure>& all,
                                     const std::vector<Figure>& chosen, const RunOptions& options) {
    require_preset(all, options);
    if (!options.data_folder.empty() && !std::filesystem::is_directory(options.data_folder))
        throw FileError(options.data_folder, 0, "--data-folder is no folder");
    std::vector<Job> jobs;
    for (const Figure& figure : chosen) {
        Params::Texts instead;
        if (!options.data_folder.empty()) instead["data_folder"] = options.data_folder;
        if (options.skip_bad) instead["bad_records"] = "skip";
        Params params = Params::from_file(toml_of(figure, options), options.preset, instead);
        if (options.stale_only && is_fresh(figure, options)) continue;
        jobs.push_back({figure, std::move(params), {}});
    }
    require_writable_folder(options.out);

    std::mutex telling;
    std::size_t done = 0;
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(options.threads));
    tbb::parallel_for(std::size_t{0}, jobs.size(), [&](std::size_t i) {
        // Isolated: a figure that waits for its own inner loop must not start another one
        // meanwhile.
        tbb::this_task_arena::isolate([&] {
            const AloneScope alone;
            Job& job = jobs[i];
            try {
                run_one(job, options);
                const std::lock_guard lock(telling);
                ++done;
                if (options.progress) options.progress(job.figure.stem, done, jobs.size());
            } catch (const FileError& error) {
                job.failure = error.what();
            } catch (const std::exception& error) {
                job.failure = job.figure.stem + ": " + error.what();
            }
        });
    });

    write_file_atomically(options.out / "claims.json", collect_claims(options.out, all));
    std::vector<std::string> failures;
    for (const Job& job : jobs)
        if (!job.failure.empty()) failures.push_back(job.failure);
    return failures;
}

}  // namespace assay::experiments
