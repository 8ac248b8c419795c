#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The parameters of one figure, read from TOML. Every getter throws FileError with file, line and
/// key where the key is missing, has another type, or lies out of range. Keys are looked up in one
/// thread; what a driver never asked for is refused by require_all_read().
class Params {
public:
    using Texts = std::map<std::string, std::string>;

    /// Reads and parses a file. The tables [preset.<name>] are no parameters themselves: the keys
    /// of the chosen one replace or join those at the top, where the file has it.
    /// At last the texts of `instead` take the place of those at their keys, where the file has
    /// these keys.
    ///   Throws     FileError (file, line) where it cannot be read or is no TOML
    [[nodiscard]] static Params from_file(const std::filesystem::path& path,
                                          std::string_view preset = {}, const Texts& instead = {});

    /// Parses a text; `name` stands for the file in messages.
    [[nodiscard]] static Params from_text(std::string_view text, std::string name,
                                          std::string_view preset = {}, const Texts& instead = {});

    [[nodiscard]] bool has(std::string_view key) const;

    /// A finite number; an integer counts as one.
    [[nodiscard]] double number(std::string_view key) const;
    [[nodiscard]] std::int64_t integer(std::string_view key) const;
    [[nodiscard]] bool flag(std::string_view key) const;
    [[nodiscard]] std::string text(std::string_view key) const;

    /// A list of numbers: an array `[1.5, 2]`, or a grid of `count` equally spaced points, both
    /// ends included, `{ from = -2, to = 1.8, count = 100 }`, sent through `map` where it is given:
    /// "x" (the default), "10^x" or "1+10^x".
    [[nodiscard]] std::vector<double> numbers(std::string_view key) const;

    /// A list of integers: an array, or `{ from = 2, to = 200 }` with an optional `step`.
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key) const;
    [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;

    /// The table `[key]`, and the tables `[[key]]`, as parameters of their own.
    [[nodiscard]] Params section(std::string_view key) const;
    [[nodiscard]] std::vector<Params> sections(std::string_view key) const;

    /// Refuses the first key that no getter was asked for: it is misspelt or has no effect.
    void require_all_read() const;

    /// A FileError that points at `key`: for a driver that finds a value out of its own range.
    [[noreturn]] void refuse(std::string_view key, const std::string& reason) const;

    /// A key whose value is not the one in [preset.<name>], both as text: long lists by their ends.
    struct Difference {
        std::string key;  ///< "ads.examples" inside [ads]
        std::string here;
        std::string there;
    };
    /// Whether there is a table [preset.<name>].
    [[nodiscard]] bool has_preset(std::string_view preset) const;
    /// All keys of that preset, of its tables too, whose values are others here or missing.
    [[nodiscard]] std::vector<Difference> differences_from(std::string_view preset) const;

    /// Everything in the file as JSON text, keys in alphabetical order.
    [[nodiscard]] std::string to_json() const;

private:
    struct Document;
    struct Access;
    Params(std::shared_ptr<const Document> document, const void* table, std::string prefix);

    std::shared_ptr<const Document> document_;
    const void* table_;   ///< a toml::table owned by document_
    std::string prefix_;  ///< "panel." inside [panel]; empty at the top
};

}  // namespace assay
