#include "verify/journal.hpp"

#include <fmt/format.h>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"
#include "verify/trial_json.hpp"

namespace assay::verify {

namespace {

Json key_json(const JournalKey& key) {
    return {{"seed", key.seed}, {"tier", key.tier}, {"program", key.program}};
}

BlockRecord block_from(const Json& json) {
    BlockRecord record;
    record.row = json.at("row").get<std::string>();
    record.block = json.at("block").get<std::size_t>();
    record.seconds = json.at("seconds").get<double>();
    for (const Json& trial : json.at("trials")) record.trials.push_back(trial_from_json(trial));
    return record;
}

Json to_json(const BlockRecord& record) {
    Json trials = Json::array();
    for (const Trial& trial : record.trials) trials.push_back(to_json(trial));
    return {{"row", record.row},
            {"block", record.block},
            {"seconds", record.seconds},
            {"trials", std::move(trials)}};
}

}  // namespace

Journal::Journal(const std::filesystem::path& path, const JournalKey& key, bool resume) {
    if (path.empty()) return;
    std::string text;
    if (resume && std::filesystem::exists(path)) {
        text = read_file(path);
        text.resize(text.rfind('\n') == text.npos ? 0 : text.rfind('\n') + 1);  // a torn line goes
    }
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        ++number;
        try {
            const Json json = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                          text.begin() + static_cast<std::ptrdiff_t>(end));
            if (number > 1) {
                BlockRecord record = block_from(json);
                finished_[{record.row, record.block}] = std::move(record);
            } else if (json != key_json(key)) {
                throw FileError(path.string(), 1,
                                fmt::format("belongs to another run: {}", json.dump()));
            }
        } catch (const Json::exception&) {
            throw FileError(path.string(), number, "is no line of a journal");
        }
        begin = end + 1;
    }
    if (text.empty()) text = key_json(key).dump() + "\n";
    write_file_atomically(path, text);
    file_ = std::fopen(path.c_str(), "ae");
    if (file_ == nullptr) throw FileError(path.string(), 0, "cannot be written");
}

Journal::~Journal() {
    if (file_ != nullptr) std::fclose(file_);
}

const BlockRecord* Journal::finished(const std::string& row, std::size_t block) const {
    const auto at = finished_.find({row, block});
    return at == finished_.end() ? nullptr : &at->second;
}

void Journal::append(const BlockRecord& record) {
    if (file_ == nullptr) return;
    const std::string line = to_json(record).dump() + "\n";
    const std::scoped_lock lock(mutex_);
    std::fwrite(line.data(), 1, line.size(), file_);
    std::fflush(file_);
}

}  // namespace assay::verify
