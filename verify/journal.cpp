#include "verify/journal.hpp"

#include <fmt/format.h>

#include <optional>

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

/// The line of an object, whose checksum goes on from that of the objects before.
std::string line_of(const Json& json, boost::crc_32_type& crc) {
    const std::string text = json.dump();
    crc.process_bytes(text.data(), text.size());
    return fmt::format("{} {:08x}\n", text, crc.checksum());
}

/// The object of a line, or nothing where its checksum is another.
std::optional<std::string_view> object_of(std::string_view line, boost::crc_32_type& crc) {
    constexpr std::size_t behind = 9;  // a blank and eight digits
    if (line.size() < behind) return std::nullopt;
    const std::string_view text = line.substr(0, line.size() - behind);
    crc.process_bytes(text.data(), text.size());
    if (line.substr(text.size()) != fmt::format(" {:08x}", crc.checksum())) return std::nullopt;
    return text;
}

}  // namespace

Journal::Journal(const std::filesystem::path& path, const JournalKey& key, bool resume)
    : path_(path) {
    if (path.empty()) return;
    std::string text;
    if (resume && std::filesystem::exists(path)) {
        text = read_file(path);
        text.resize(text.rfind('\n') + 1);  // a torn line goes
        read(text, key);
    }
    if (text.empty()) text = line_of(key_json(key), crc_);
    write_file_atomically(path, text);
    file_ = std::fopen(path.c_str(), "ae");
    if (file_ == nullptr) throw FileError(path.string(), 0, "cannot be written");
}

void Journal::read(std::string_view text, const JournalKey& key) {
    const auto damaged = [&](int line) {
        return FileError(path_.string(), line,
                         "this journal is damaged: begin anew, without --resume");
    };
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const auto object = object_of(text.substr(0, end), crc_);
        if (!object) throw damaged(number);
        try {
            const Json json = Json::parse(*object);
            if (number > 1) {
                BlockRecord record = block_from(json);
                finished_[{record.row, record.block}] = std::move(record);
            } else if (json != key_json(key)) {
                throw FileError(path_.string(), 1,
                                fmt::format("belongs to another run: {}", json.dump()));
            }
        } catch (const Json::exception&) {
            throw damaged(number);
        }
        text.remove_prefix(end + 1);
    }
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
    const Json json = to_json(record);
    const std::scoped_lock lock(mutex_);
    const std::string line = line_of(json, crc_);
    if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fflush(file_) != 0)
        throw FileError(path_.string(), 0, "cannot be written");
}

}  // namespace assay::verify
