#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "assay/files/run_identity.hpp"

namespace assay {

/// What a state file holds, and in which layout.
struct StateFormat {
    std::string_view kind;  ///< lower-case words: "checkpoint"
    std::uint32_t version = 1;
};

/// A state in memory, and then a file.
///   Format     the line "assay <kind> <version>"; the length of the content (64 bits), its CRC-32,
///              and the CRC-32 of the header so far; the content: the identity, then what was
///              appended. Numbers are little endian
///   Memory     that of the content
class StateWriter {
public:
    /// Throws DomainError (field) where a name or value could not stand in a line of text.
    explicit StateWriter(const StateFormat& format, const RunIdentity& identity = {});

    /// Room for so many bytes more, where it is known that many will come.
    void reserve(std::size_t bytes) { content_.reserve(content_.size() + bytes); }
    template <class Number>
    void number(Number value) {
        static_assert(std::is_arithmetic_v<Number>);
        append(&value, sizeof value);
    }
    /// How many, and each of them.
    template <std::ranges::contiguous_range Range>
    void numbers(const Range& values) {
        using Element = std::ranges::range_value_t<Range>;
        static_assert(std::is_trivially_copyable_v<Element>);
        number(std::uint64_t{std::ranges::size(values)});
        append(std::ranges::data(values), std::ranges::size(values) * sizeof(Element));
    }

    /// Writes a whole file or leaves the older one: a kill at any moment spoils nothing.
    ///   Throws     FileError
    void write(const std::filesystem::path& path) const;

private:
    void append(const void* data, std::size_t bytes);

    std::string header_;
    std::string content_;
};

/// Reads what StateWriter wrote, in the same order and to the bit.
///   Memory     that of the file
class StateReader {
public:
    /// Throws FileError saying what is wrong: no state of assay, a state of another kind or of
    /// another version, cut short, damaged.
    StateReader(const std::filesystem::path& path, const StateFormat& format);

    [[nodiscard]] const RunIdentity& identity() const { return identity_; }
    template <class Number>
    [[nodiscard]] Number number() {
        static_assert(std::is_arithmetic_v<Number>);
        Number value{};
        std::memcpy(&value, taken(1, sizeof value).data(), sizeof value);
        return value;
    }
    template <class Element>
    [[nodiscard]] std::vector<Element> numbers() {
        static_assert(std::is_trivially_copyable_v<Element>);
        const auto count = number<std::uint64_t>();
        const std::string_view bytes = taken(count, sizeof(Element));
        std::vector<Element> values(static_cast<std::size_t>(count));
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    /// Throws FileError unless all of the content was read.
    void require_end() const;
    /// Throws FileError: the checksum is right, the content is not.
    [[noreturn]] void refuse(std::string_view reason) const;

private:
    /// Throws FileError where so much is not left.
    std::string_view taken(std::uint64_t count, std::size_t size);

    std::string file_;
    std::string kind_;
    std::string text_;
    std::size_t next_ = 0;
    RunIdentity identity_;
};

/// Refuses the state of another run, naming each difference: "noise-multiplier 0.4 there, 0.5
/// here".
///   Throws     FileError (path)
void require_same_run(const std::filesystem::path& path, const RunIdentity& there,
                      const RunIdentity& here);

}  // namespace assay
