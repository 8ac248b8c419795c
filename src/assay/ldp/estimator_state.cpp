#include "assay/ldp/estimator_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <boost/crc.hpp>
#include <istream>
#include <ostream>
#include <string_view>
#include <type_traits>

#include "assay/numeric/errors.hpp"

namespace assay {

namespace {

static_assert(std::endian::native == std::endian::little, "states are written little endian");

constexpr std::string_view magic = "assay adaptive estimator\n";
constexpr std::uint32_t version = 1;
/// Elements read before the next is believed to be there.
constexpr std::size_t chunk = std::size_t{1} << 16U;

class Writer {
public:
    Writer(std::ostream& out, const std::string& name) : out_(out), name_(name) {}

    void bytes(const void* data, std::size_t size) {
        crc_.process_bytes(data, size);
        out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    }
    template <class Number>
    void number(Number value) {
        static_assert(std::is_arithmetic_v<Number>);
        bytes(&value, sizeof value);
    }
    template <class Element>
    void numbers(const std::vector<Element>& values) {
        number(std::uint64_t{values.size()});
        bytes(values.data(), values.size() * sizeof(Element));
    }
    void finish() {
        const std::uint32_t sum = crc_.checksum();
        number(sum);
        out_.flush();
        if (!out_) throw FileError(name_, 0, "cannot be written");
    }

private:
    std::ostream& out_;
    const std::string& name_;
    boost::crc_32_type crc_;
};

class Reader {
public:
    Reader(std::istream& in, const std::string& name) : in_(in), name_(name) {}

    void bytes(void* data, std::size_t size) {
        in_.read(static_cast<char*>(data), static_cast<std::streamsize>(size));
        if (static_cast<std::size_t>(in_.gcount()) != size) refuse("is cut short");
        crc_.process_bytes(data, size);
    }
    bool starts_with(std::string_view text) {
        std::string start(text.size(), ' ');
        in_.read(start.data(), static_cast<std::streamsize>(start.size()));
        crc_.process_bytes(start.data(), start.size());
        return start == text;
    }
    template <class Number>
    Number number() {
        static_assert(std::is_arithmetic_v<Number>);
        Number value{};
        bytes(&value, sizeof value);
        return value;
    }
    /// One of 0, .., count-1.
    std::uint32_t choice(std::size_t count) {
        const auto value = number<std::uint32_t>();
        if (value >= count) refuse("is damaged: a setting is none of those there are");
        return value;
    }
    template <class Element>
    std::vector<Element> numbers() {
        const auto count = number<std::uint64_t>();
        std::vector<Element> values;
        while (values.size() < count) {
            const std::size_t before = values.size();
            values.resize(before +
                          static_cast<std::size_t>(std::min<std::uint64_t>(chunk, count - before)));
            bytes(values.data() + before, (values.size() - before) * sizeof(Element));
        }
        return values;
    }
    void finish() {
        const std::uint32_t sum = crc_.checksum();
        const auto written = number<std::uint32_t>();
        if (written != sum)
            refuse(fmt::format("is damaged: its check sum is {:08x}, not {:08x}", sum, written));
        if (in_.peek() != std::istream::traits_type::eof()) refuse("goes on behind its end");
    }
    [[noreturn]] void refuse(const std::string& message) const {
        throw FileError(name_, 0, message);
    }

private:
    std::istream& in_;
    const std::string& name_;
    boost::crc_32_type crc_;
};

void write_settings(Writer& writer, const AdaptiveSettings& settings) {
    writer.number(std::int32_t{settings.mechanism.categories});
    writer.number(settings.mechanism.epsilon);
    writer.number(settings.mechanism.budget_share);
    writer.number(static_cast<std::uint32_t>(settings.mechanism.variant));
    writer.number(static_cast<std::uint32_t>(settings.rule.index()));
    const auto* semi = std::get_if<SemiAdaptive>(&settings.rule);
    const auto* by_utility = std::get_if<ByUtility>(&settings.rule);
    writer.number(semi == nullptr ? 0.0 : semi->mass);
    writer.number(by_utility == nullptr ? 0U : static_cast<std::uint32_t>(by_utility->utility));
    writer.number(static_cast<std::uint32_t>(settings.sampler.index()));
    const auto* langevin = std::get_if<LangevinSettings>(&settings.sampler);
    const LangevinSettings steps = langevin == nullptr ? LangevinSettings{} : *langevin;
    const auto* gibbs = std::get_if<GibbsSettings>(&settings.sampler);
    writer.number(std::int32_t{gibbs == nullptr ? steps.updates : gibbs->updates});
    writer.number(std::int32_t{steps.subsample});
    writer.number(steps.step.first);
    writer.number(steps.step.delay);
    writer.number(steps.step.power);
    writer.numbers(settings.prior);
    writer.number(settings.seed);
}

AdaptiveSettings read_settings(Reader& reader) {
    AdaptiveSettings settings;
    settings.mechanism.categories = reader.number<std::int32_t>();
    settings.mechanism.epsilon = reader.number<double>();
    settings.mechanism.budget_share = reader.number<double>();
    settings.mechanism.variant = static_cast<ResponseVariant>(reader.choice(2));
    const auto rule = reader.choice(3);
    const auto mass = reader.number<double>();
    const auto utility = static_cast<Utility>(reader.choice(all_utilities.size()));
    const std::array<SubsetRule, 3> rules{NonAdaptive{}, SemiAdaptive{mass}, ByUtility{utility}};
    settings.rule = rules[rule];
    const auto sampler = reader.choice(2);
    const auto updates = reader.number<std::int32_t>();
    LangevinSettings steps{.updates = updates, .subsample = reader.number<std::int32_t>()};
    steps.step.first = reader.number<double>();
    steps.step.delay = reader.number<double>();
    steps.step.power = reader.number<double>();
    settings.sampler = steps;
    if (sampler == 1) settings.sampler = GibbsSettings{.updates = updates};
    settings.prior = reader.numbers<double>();
    settings.seed = reader.number<std::uint64_t>();
    return settings;
}

}  // namespace

void write_state(std::ostream& out, const std::string& name, const EstimatorState& state) {
    static_assert(sizeof(ResponseHistory::Response) == 8);
    Writer writer(out, name);
    writer.bytes(magic.data(), magic.size());
    writer.number(version);
    write_settings(writer, state.settings);
    writer.numbers(state.responses);
    writer.numbers(state.members);
    writer.number(state.sum_of_sizes);
    writer.numbers(state.sampler.phi);
    writer.number(state.sampler.sum_of_sums);
    writer.number(state.sampler.updates);
    writer.finish();
}

EstimatorState read_state(std::istream& in, const std::string& name) {
    Reader reader(in, name);
    if (!reader.starts_with(magic)) reader.refuse("is no state of an adaptive estimator");
    const auto format = reader.number<std::uint32_t>();
    if (format != version)
        reader.refuse(fmt::format("is a state of version {}, not {}", format, version));
    EstimatorState state;
    state.settings = read_settings(reader);
    state.responses = reader.numbers<ResponseHistory::Response>();
    state.members = reader.numbers<std::uint64_t>();
    state.sum_of_sizes = reader.number<std::int64_t>();
    state.sampler.phi = reader.numbers<double>();
    state.sampler.sum_of_sums = reader.number<double>();
    state.sampler.updates = reader.number<std::int64_t>();
    reader.finish();
    return state;
}

}  // namespace assay
