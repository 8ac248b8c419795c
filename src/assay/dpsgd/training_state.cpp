#include "assay/dpsgd/training_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <boost/crc.hpp>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "assay/files/atomic_file.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

static_assert(std::endian::native == std::endian::little, "states are written as they stand");

constexpr std::string_view magic = "assay training state 1\n";

std::uint32_t checksum(const void* data, std::size_t bytes) {
    boost::crc_32_type crc;
    crc.process_bytes(data, bytes);
    return crc.checksum();
}

template <class Number>
void append(std::string& text, const Number& number) {
    std::array<char, sizeof(Number)> bytes{};
    std::memcpy(bytes.data(), &number, sizeof(Number));
    text.append(bytes.data(), bytes.size());
}

template <class Number>
void append_all(std::string& text, std::span<const Number> numbers) {
    append(text, static_cast<std::uint64_t>(numbers.size()));
    const std::size_t begin = text.size();
    text.resize(begin + numbers.size_bytes());
    if (!numbers.empty()) std::memcpy(text.data() + begin, numbers.data(), numbers.size_bytes());
}

/// What is left of a file whose checksum is right.
class Reader {
public:
    Reader(std::string file, std::string_view text) : file_(std::move(file)), rest_(text) {}

    std::string_view line() {
        const std::size_t length = rest_.find('\n');
        if (length == std::string_view::npos) fail();
        return taken(length + 1).substr(0, length);
    }
    template <class Number>
    Number number() {
        Number value{};
        std::memcpy(&value, taken(sizeof(Number)).data(), sizeof(Number));
        return value;
    }
    template <class Number>
    std::vector<Number> numbers() {
        const auto count = number<std::uint64_t>();
        if (count > rest_.size() / sizeof(Number)) fail();
        std::vector<Number> values(count);
        const std::string_view bytes = taken(count * sizeof(Number));
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    void require_end() const {
        if (!rest_.empty()) fail();
    }

private:
    std::string_view taken(std::size_t bytes) {
        if (bytes > rest_.size()) fail();
        const std::string_view front = rest_.substr(0, bytes);
        rest_.remove_prefix(bytes);
        return front;
    }
    [[noreturn]] void fail() const { throw FileError(file_, 0, "this training state is damaged"); }

    std::string file_;
    std::string_view rest_;
};

}  // namespace

void write_training_state(const std::filesystem::path& path, const TrainingState& state) {
    std::string text(magic);
    for (const RunField& field : state.identity) {
        require_readable(field);
        text += fmt::format("{} {}\n", field.name, field.value);
    }
    text += '\n';
    append(text, state.steps);
    append_all<float>(text, state.parameters);
    append_all<float>(text, state.optimiser);
    append_all<double>(text, state.log);
    append(text, checksum(text.data(), text.size()));
    write_file_atomically(path, text);
}

TrainingState read_training_state(const std::filesystem::path& path) {
    const std::string content = read_file(path);
    const std::string file = path.string();
    if (!content.starts_with(magic)) throw FileError(file, 0, "this is no training state of assay");
    std::uint32_t written = 0;
    if (content.size() < magic.size() + sizeof(written))
        throw FileError(file, 0, "this training state is cut short");
    const std::size_t end = content.size() - sizeof(written);
    std::memcpy(&written, content.data() + end, sizeof(written));
    if (written != checksum(content.data(), end))
        throw FileError(file, 0,
                        "this training state is cut short or damaged: its checksum is not "
                        "that of its content");
    Reader reader(file, std::string_view(content).substr(0, end));
    reader.line();
    TrainingState state;
    for (std::string_view line = reader.line(); !line.empty(); line = reader.line()) {
        const std::size_t blank = std::min(line.find(' '), line.size() - 1);
        state.identity.push_back(
            {std::string(line.substr(0, blank)), std::string(line.substr(blank + 1))});
    }
    state.steps = reader.number<std::int64_t>();
    state.parameters = reader.numbers<float>();
    state.optimiser = reader.numbers<float>();
    state.log = reader.numbers<double>();
    reader.require_end();
    return state;
}

void require_same_run(const std::filesystem::path& path, const RunIdentity& there,
                      const RunIdentity& here) {
    const std::string found = differences(there, here);
    if (!found.empty())
        throw FileError(path.string(), 0, fmt::format("the state of another run: {}", found));
}

}  // namespace assay
