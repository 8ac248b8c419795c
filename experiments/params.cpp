#include "experiments/params.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <sstream>

#include "assay/files/atomic_file.hpp"
#include "assay/files/toml_parser.hpp"
#include "assay/numeric/errors.hpp"

namespace assay {

struct Params::Document {
    std::string file;
    toml::table root;
    toml::table presets;
    mutable std::set<const toml::node*> read;
};

/// What the getters share: typed access to one table, with errors that name file, line and key.
struct Params::Access {
    const Params& params;

    [[nodiscard]] const toml::table& table() const {
        return *static_cast<const toml::table*>(params.table_);
    }

    [[noreturn]] void fail(const toml::node& at, std::string_view key,
                           const std::string& reason) const {
        throw FileError(params.document_->file, static_cast<int>(at.source().begin.line),
                        fmt::format("{}{} {}", params.prefix_, key, reason));
    }

    /// The node of a key, now marked as read.
    [[nodiscard]] const toml::node& node(std::string_view key) const {
        const toml::node* found = table().get(key);
        if (found == nullptr) fail(table(), key, "is missing");
        params.document_->read.insert(found);
        return *found;
    }

    [[nodiscard]] double number_of(const toml::node& at, std::string_view key) const {
        const auto value = at.value<double>();
        if (!at.is_number() || !value || !std::isfinite(*value))
            fail(at, key, "is not a finite number");
        return *value;
    }

    [[nodiscard]] std::int64_t integer_of(const toml::node& at, std::string_view key) const {
        if (!at.is_integer()) fail(at, key, "is not an integer");
        return *at.value<std::int64_t>();
    }

    [[nodiscard]] std::string text_of(const toml::node& at, std::string_view key) const {
        if (!at.is_string()) fail(at, key, "is not a text");
        return *at.value<std::string>();
    }

    /// Every element of the array `at` through `get`; an empty array is refused.
    template <class Value>
    [[nodiscard]] std::vector<Value> list_of(const toml::node& at, std::string_view key,
                                             Value (Access::*get)(const toml::node&,
                                                                  std::string_view) const) const {
        const toml::array* array = at.as_array();
        if (array == nullptr) fail(at, key, "is not a list");
        if (array->empty()) fail(at, key, "is an empty list");
        std::vector<Value> values;
        values.reserve(array->size());
        for (const toml::node& element : *array) values.push_back((this->*get)(element, key));
        return values;
    }

    [[nodiscard]] Params inner(const toml::node& at, const std::string& prefix) const {
        return Params(params.document_, at.as_table(), prefix);
    }
};

namespace {

constexpr std::int64_t longest_list = 1'000'000;

double mapped(double x, const std::string& map) {
    if (map == "10^x") return std::pow(10.0, x);
    if (map == "1+10^x") return 1.0 + std::pow(10.0, x);
    return x;
}

/// The first key that nobody read, below `table`, as "panel.key"; its node, or null.
const toml::node* unread(const toml::table& table, const std::set<const toml::node*>& read,
                         std::string& path) {
    for (const auto& [key, node] : table) {
        const std::string here =
            path.empty() ? std::string(key.str()) : path + "." + std::string(key.str());
        if (!read.contains(&node)) {
            path = here;
            return &node;
        }
        std::vector<const toml::table*> tables;
        if (const toml::table* one = node.as_table()) tables.push_back(one);
        if (const toml::array* list = node.as_array();
            list != nullptr && list->is_array_of_tables())
            for (const toml::node& element : *list) tables.push_back(element.as_table());
        for (const toml::table* inner : tables) {
            std::string deeper = here;
            if (const toml::node* found = unread(*inner, read, deeper)) {
                path = deeper;
                return found;
            }
        }
    }
    return nullptr;
}

/// Takes the presets out of a document, after the keys of the chosen one went to the top.
toml::table take_presets(toml::table& root, std::string_view chosen) {
    toml::table presets;
    if (const toml::table* all = root["preset"].as_table()) presets = *all;
    root.erase("preset");
    if (const toml::table* preset = presets[chosen].as_table())
        for (const auto& [key, value] : *preset) root.insert_or_assign(key, value);
    return presets;
}

std::string text_of(const toml::node& node) {
    if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
    std::ostringstream text;
    node.visit([&](const auto& value) { text << value; });
    return text.str();
}

/// Elements between commas, of a long list the first and the last.
std::string short_text_of(const toml::node& node) {
    constexpr std::size_t longest = 6;
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) return text_of(node);
    if (list->size() > longest)
        return fmt::format("{} .. {}", text_of(list->front()), text_of(list->back()));
    std::string text;
    for (const toml::node& element : *list)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", text_of(element));
    return text;
}

void compare(const toml::table& here, const toml::table& there, const std::string& prefix,
             std::vector<Params::Difference>& differences) {
    for (const auto& [key, value] : there) {
        const std::string name = prefix + std::string(key.str());
        const toml::node* own = here.get(key);
        if (own != nullptr && own->is_table() && value.is_table())
            compare(*own->as_table(), *value.as_table(), name + ".", differences);
        else if (own == nullptr || text_of(*own) != text_of(value))
            differences.push_back(
                {name, own == nullptr ? "none" : short_text_of(*own), short_text_of(value)});
    }
}

}  // namespace

Params::Params(std::shared_ptr<const Document> document, const void* table, std::string prefix)
    : document_(std::move(document)), table_(table), prefix_(std::move(prefix)) {}

Params Params::from_file(const std::filesystem::path& path, std::string_view preset,
                         const Texts& instead) {
    return from_text(read_file(path), path.string(), preset, instead);
}

Params Params::from_text(std::string_view text, std::string name, std::string_view preset,
                         const Texts& instead) {
    auto document = std::make_shared<Document>();
    document->file = std::move(name);
    document->root = parse_toml(text, document->file);
    document->presets = take_presets(document->root, preset);
    for (const auto& [key, other] : instead)
        if (document->root.contains(key)) document->root.insert_or_assign(key, other);
    const void* root = &document->root;
    return Params(std::move(document), root, "");
}

bool Params::has(std::string_view key) const {
    return Access{*this}.table().contains(key);
}

double Params::number(std::string_view key) const {
    const Access access{*this};
    return access.number_of(access.node(key), key);
}

std::int64_t Params::integer(std::string_view key) const {
    const Access access{*this};
    return access.integer_of(access.node(key), key);
}

bool Params::flag(std::string_view key) const {
    const Access access{*this};
    const toml::node& node = access.node(key);
    if (!node.is_boolean()) access.fail(node, key, "is neither true nor false");
    return *node.value<bool>();
}

std::string Params::text(std::string_view key) const {
    const Access access{*this};
    return access.text_of(access.node(key), key);
}

std::vector<double> Params::numbers(std::string_view key) const {
    const Access access{*this};
    const toml::node& node = access.node(key);
    if (!node.is_table()) return access.list_of(node, key, &Access::number_of);

    const Params grid = access.inner(node, prefix_ + std::string(key) + ".");
    const double from = grid.number("from");
    const double to = grid.number("to");
    const std::int64_t count = grid.integer("count");
    if (count < 2 || count > longest_list) grid.refuse("count", "is not in 2..1000000");
    const std::string map = grid.has("map") ? grid.text("map") : "x";
    if (map != "x" && map != "10^x" && map != "1+10^x")
        grid.refuse("map", "is none of \"x\", \"10^x\", \"1+10^x\"");

    const double step = (to - from) / static_cast<double>(count - 1);
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i + 1 < count; ++i)
        values.push_back(mapped(from + static_cast<double>(i) * step, map));
    values.push_back(mapped(to, map));
    for (const double value : values)
        if (!std::isfinite(value)) access.fail(node, key, "has a value that is not finite");
    return values;
}

std::vector<std::int64_t> Params::integers(std::string_view key) const {
    const Access access{*this};
    const toml::node& node = access.node(key);
    if (!node.is_table()) return access.list_of(node, key, &Access::integer_of);

    const Params range = access.inner(node, prefix_ + std::string(key) + ".");
    const std::int64_t from = range.integer("from");
    const std::int64_t to = range.integer("to");
    const std::int64_t step = range.has("step") ? range.integer("step") : 1;
    constexpr std::int64_t far = std::int64_t{1} << 62;
    if (step < 1) range.refuse("step", "is not positive");
    if (from < -far || from > to) range.refuse("from", "is above `to` or too large");
    if (to > far || (to - from) / step >= longest_list) range.refuse("to", "is too large");
    std::vector<std::int64_t> values;
    for (std::int64_t value = from; value <= to; value += step) {
        values.push_back(value);
        if (step > to - value) break;
    }
    return values;
}

std::vector<std::string> Params::texts(std::string_view key) const {
    const Access access{*this};
    return access.list_of(access.node(key), key, &Access::text_of);
}

Params Params::section(std::string_view key) const {
    const Access access{*this};
    const toml::node& node = access.node(key);
    if (!node.is_table()) access.fail(node, key, "is not a table");
    return access.inner(node, prefix_ + std::string(key) + ".");
}

std::vector<Params> Params::sections(std::string_view key) const {
    const Access access{*this};
    const toml::node& node = access.node(key);
    const toml::array* list = node.as_array();
    if (list == nullptr || !list->is_array_of_tables())
        access.fail(node, key, "is not a list of tables");
    std::vector<Params> found;
    for (const toml::node& element : *list)
        found.push_back(
            access.inner(element, fmt::format("{}{}[{}].", prefix_, key, found.size())));
    return found;
}

void Params::require_all_read() const {
    std::string path;
    const toml::node* found = unread(document_->root, document_->read, path);
    if (found != nullptr)
        throw FileError(document_->file, static_cast<int>(found->source().begin.line),
                        path + " is no parameter of this figure");
}

void Params::refuse(std::string_view key, const std::string& reason) const {
    const Access access{*this};
    const toml::node* at = access.table().get(key);
    access.fail(at != nullptr ? *at : access.table(), key, reason);
}

bool Params::has_preset(std::string_view preset) const {
    return document_->presets[preset].is_table();
}

std::vector<Params::Difference> Params::differences_from(std::string_view preset) const {
    std::vector<Difference> differences;
    if (const toml::table* there = document_->presets[preset].as_table())
        compare(document_->root, *there, "", differences);
    return differences;
}

std::string Params::to_json() const {
    std::ostringstream text;
    text << toml::json_formatter(document_->root);
    return text.str();
}

}  // namespace assay
