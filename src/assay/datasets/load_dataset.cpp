#include "assay/datasets/load_dataset.hpp"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/join.hpp>
#include <utility>

#include "assay/datasets/cifar_files.hpp"
#include "assay/datasets/criteo_search_file.hpp"
#include "assay/datasets/optical_digits.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

constexpr HeldOut by_time{.validation = 0.1, .test = 0.1};
constexpr HeldOut at_random{.validation = 0.0, .test = 0.2};

// In the order of DataKind.
const std::array<std::string, 6> names{"optical-digits", "cifar-10",      "cifar-100",
                                       "criteo-ads",     "criteo-search", "synthetic-clicks"};

template <class Read>
DataSplit read_parts(const DataDescription& data, ReadReport& report, const Read& read) {
    DataSplit split;
    split.training = read(data.folder, DataPart::training, data.read, report);
    split.test = read(data.folder, DataPart::test, data.read, report);
    split.validation.name = split.training.name;
    split.validation.shape = split.training.shape;
    return split;
}

DataSplit read_split(const DataDescription& data, ReadReport& report) {
    switch (data.kind) {
        case DataKind::optical_digits:
            return split_at_random(read_optical_digits(data.folder, data.read, report), at_random,
                                   data.split_seed);
        case DataKind::cifar_10: return read_parts(data, report, read_cifar10);
        case DataKind::cifar_100: return read_parts(data, report, read_cifar100);
        case DataKind::criteo_ads:
            return split_by_time(read_criteo_ads(data.folder, data.criteo, data.read, report),
                                 by_time);
        case DataKind::criteo_search:
            return split_at_random(read_criteo_search(data.folder, data.criteo, data.read, report),
                                   at_random, data.split_seed);
        case DataKind::synthetic_clicks: break;
    }
    report.records += data.synthetic.examples;
    return split_by_time(synthetic_clicks(data.synthetic), by_time);
}

}  // namespace

std::string to_string(DataKind kind) {
    return names[static_cast<std::size_t>(kind)];
}

DataKind data_kind_from_string(const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw DomainError("data", name, "one of " + boost::algorithm::join(names, ", "));
    return static_cast<DataKind>(found - names.begin());
}

LoadedData load_dataset(const DataDescription& description) {
    LoadedData loaded;
    loaded.split = read_split(description, loaded.report);
    loaded.stand_in = description.kind == DataKind::synthetic_clicks;
    return loaded;
}

}  // namespace assay
