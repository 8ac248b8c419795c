#include "assay/cli/order_list.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "assay/cli/option_text.hpp"
#include "assay/numeric/directed.hpp"
#include "assay/numeric/errors.hpp"
#include "assay/numeric/number_text.hpp"
#include "assay/rdp/rdp_to_epsilon_delta.hpp"

namespace assay::cli {

namespace {

constexpr real most_orders = 100'000.0L;
constexpr const char* admitted_orders =
    "orders > 1 as 2,4,8 or first:last:step or opacus, also mixed, at most 100000 of them";

[[noreturn]] void refuse_orders(std::string_view text) {
    throw DomainError("orders", std::string(text), admitted_orders);
}

/// A finite decimal, kept beyond double precision so that first + i step rounds correctly.
real read_real(std::string_view text, std::string_view item) {
    const std::optional<double> x = read_decimal(text);
    if (!x || !std::isfinite(*x)) refuse_orders(item);
    return std::strtold(std::string(text).c_str(), nullptr);
}

void append(std::vector<double>& orders, real order, std::string_view item) {
    const double rounded = static_cast<double>(order);
    if (!(rounded > 1.0) || static_cast<real>(orders.size()) >= most_orders) refuse_orders(item);
    orders.push_back(rounded);
}

void append_item(std::vector<double>& orders, std::string_view item) {
    if (item == "opacus") {
        for (const double order : opacus_orders()) append(orders, order, item);
        return;
    }
    const std::size_t first_colon = item.find(':');
    if (first_colon == item.npos) return append(orders, read_real(item, item), item);
    const std::size_t second_colon = item.find(':', first_colon + 1);
    if (second_colon == item.npos) refuse_orders(item);
    const real first = read_real(item.substr(0, first_colon), item);
    const real last = read_real(item.substr(first_colon + 1, second_colon - first_colon - 1), item);
    const real step = read_real(item.substr(second_colon + 1), item);
    if (!(step > 0.0L) || !(first <= last)) refuse_orders(item);
    const real steps = std::floor((last - first) / step + 1e-9L);
    if (!(steps < most_orders)) refuse_orders(item);
    for (int i = 0; i <= static_cast<int>(steps); ++i)
        append(orders, first + static_cast<real>(i) * step, item);
}

}  // namespace

std::vector<double> read_orders(const std::string& text) {
    std::vector<double> orders;
    for (const std::string& item : list_items(text)) append_item(orders, item);
    return orders;
}

}  // namespace assay::cli
