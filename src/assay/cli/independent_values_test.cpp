#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "assay/cli/eval.hpp"

using namespace assay::cli;

namespace {

/// One line of every quantity, with independent 30-digit values (computed at 60-80 digits by two
/// methods, outside this project's code).
constexpr const char* sample =
    R"({"quantity": "birrell2024.log_M", "params": {"sigma": "20", "k": 40}, "value": "-24.33485585337706920567454"}
{"quantity": "birrell2024.log_B_tilde", "params": {"sigma": "0.5", "j": 5}, "value": "167.9999999999999999999971"}
{"quantity": "exact.log_absolute_moment", "params": {"sigma": "2", "j": 5}, "value": "9.912804924193650127900699"}
{"quantity": "birrell2024.log_R_bound", "params": {"alpha": "4", "sigma": "6", "m": 4, "q": "0.0024"}, "value": "-26.78272589326207934170876"}
{"quantity": "birrell2024.thm_3_3", "params": {"alpha": "20.5", "sigma": "20", "m": 3, "q": "0.001"}, "value": "0.000000103240699214151629856436381667"}
{"quantity": "birrell2024.log_F_tilde", "params": {"alpha": "32.5", "sigma": "6", "k": 4}, "value": "12.83175145385448280456186"}
{"quantity": "birrell2024.log_E_tilde", "params": {"alpha": "32.5", "sigma": "6", "m": 5, "q": "0.0024"}, "value": "-15.69766792889101378508082"}
{"quantity": "birrell2024.thm_3_4", "params": {"alpha": "64", "sigma": "6", "m": 5, "q": "0.0024"}, "value": "0.0000250931328873602910370932992397"}
{"quantity": "birrell2024.thm_c_9_as_printed", "params": {"alpha": "32.5", "sigma": "20", "m": 4, "q": "0.01"}, "value": "0.0000163801029520592165294409625873"}
{"quantity": "birrell2024.q_tilde", "params": {"B": 120, "D": 50000, "K": 120}, "value": "0.00239714624540627841597721314287"}
{"quantity": "birrell2024.thm_3_6", "params": {"alpha": "4.5", "sigma": "6", "m": 4, "B": 20, "D": 20000, "K": 20}, "value": "68.6443140232126308898265798215"}
{"quantity": "birrell2024.thm_3_6_capped", "params": {"alpha": "4.5", "sigma": "6", "m": 4, "B": 20, "D": 20000, "K": 20}, "value": "45.3824226283358204059286590977"}
{"quantity": "birrell2024.thm_3_6_exact_h", "params": {"alpha": "1.5", "sigma": "20", "B": 60, "D": 6000, "K": 60}, "value": "0.000000757629880302062795506154857335"}
{"quantity": "birrell2024.thm_3_7", "params": {"alpha": "3", "sigma": "6", "B": 20, "D": 20000}, "value": "0.000000176319821874515595270400047115"}
{"quantity": "birrell2024.thm_3_7_truncated", "params": {"alpha": "9", "sigma": "6", "B": 20, "D": 20000, "T": [0, 1, 2, 20]}, "value": "0.000000529222576858251973398873295763"}
{"quantity": "birrell2024.eq_120", "params": {"alpha": "10", "sigma": "2", "B": 120, "D": 50000}, "value": "70557.3628954119622519103033131"}
{"quantity": "exact.fixed_size_with_replacement", "params": {"alpha": "10", "sigma": "6", "B": 120, "D": 50000}, "value": "6557.36289541196225191030331307"}
{"quantity": "wang2019.upper", "params": {"alpha": "64", "sigma": "6", "q": "0.0024"}, "value": "0.000113123040499765586944417097364"}
{"quantity": "wang2019.lower", "params": {"alpha": "64", "sigma": "0.5", "q": "0.01"}, "value": "507.321731874551780197550747521"}
{"quantity": "exact.fixed_size_without_replacement", "params": {"alpha": "1.5", "sigma": "0.5", "q": "0.001"}, "value": "0.0237085044368397334381175277273"}
{"quantity": "exact.poisson_add_remove", "params": {"alpha": "32.5", "s": "1", "q": "0.001"}, "value": "9.12295090265899862826460595139"}
{"quantity": "exact.poisson_add_remove_reverse", "params": {"alpha": "32.5", "s": "1", "q": "0.001"}, "value": "0.0000257760677046420141430250378764"}
{"quantity": "mironov2019.fractional_series", "params": {"alpha": "4.3", "s": "50", "q": "0.0001"}, "value": "8.60172102088207536109423541708e-12"}
{"quantity": "mironov2019.thm_11", "params": {"alpha": "40", "s": "6", "q": "0.001"}, "value": "0.00000222222222222222222222222222222", "applies": true, "rhs4": "55.5006232709963473744637837593", "rhs5": "2436.54460429884216552567973617"}
{"quantity": "exact.poisson_replace_one", "params": {"alpha": "60.5", "sigma": "20", "q": "0.2"}, "value": "0.0121021468144084287281681497065"}
{"quantity": "exact.fixed_size_without_replacement_reverse", "params": {"alpha": "60.5", "sigma": "20", "q": "0.2"}, "value": "0.0110854905739418405759989231349"}
{"quantity": "exact.replace_one_collinear", "params": {"alpha": "8", "sigma": "2", "q": "0.1", "x": "0.9", "y": "0.4"}, "value": "0.107704746224520854751870577003"}
{"quantity": "exact.replace_one_equilateral", "params": {"alpha": "3.5", "sigma": "20", "q": "0.3"}, "value": "0.00157999987724504665025466382994"}
{"quantity": "exact.replace_one_equilateral_attainable", "params": {"alpha": "8.5", "sigma": "6", "q": "0.0024"}, "value": "0.00000217091354989519460413534903363"}
{"quantity": "birrell2024.second_order_coefficient", "params": {"sigma": "1"}, "value": "47.2090939342135888508798337423"}
{"quantity": "exact.second_order_coefficient", "params": {"sigma": "1"}, "value": "26.7990750165721195390551306014"}
{"quantity": "convert.mironov2017_prop_3", "params": {"alpha": "32.5", "rdp": "1.2", "delta": "0.0000000001"}, "value": "1.93097939460128434413269569990"}
{"quantity": "convert.balle2020_thm_21", "params": {"alpha": "32.5", "rdp": "1.2", "delta": "0.0000000001"}, "value": "1.78921129270557065784295834388"}
{"quantity": "convert.canonne2020", "params": {"alpha": "32.5", "rdp": "1.2", "delta": "0.0000000001"}, "value": "1.78921129270557065784295834388"}
{"quantity": "convert.canonne2020_delta", "params": {"alpha": "16", "rdp": "0.3", "eps": "1"}, "value": "0.000000653667817196070300989587828930"}
{"quantity": "birrell2024.variance_poisson", "params": {"a": ["0.1", "0.2", "-0.3", "0.7"], "B": 3}, "value": "0.0131250000000000000000000000000"}
{"quantity": "birrell2024.variance_with_replacement", "params": {"a": ["0.1", "0.2", "-0.3", "0.7"], "B": 3}, "value": "0.0422916666666666666666666666667"}
{"quantity": "birrell2024.variance_without_replacement", "params": {"a": ["0.1", "0.2", "-0.3", "0.7"], "B": 3}, "value": "0.0140972222222222222222222222222"}
{"quantity": "epsilon.over_orders", "params": {"rdp": "wang2019.upper", "sigma": "6", "m": 3, "q": "0.0024", "T": "104166", "delta": "0.00001", "conv": "balle"}, "value": "2.35822722040058994329208700390", "alpha_opt": "9"}
{"quantity": "profile.fixed_size_replace_one", "params": {"alpha": "10.9", "sigma": "20", "q": "0.3"}, "value": "0.005201513517382503246825118183"})";

/// The same of the quantities of an epoch: values to the digits printed, or brackets.
constexpr const char* epoch_sample =
    R"({"quantity": "balls_and_bins.delta_remove", "params": {"T": 36133, "sigma": 0.4, "eps": 1}, "lower": 0.0003211407053085929, "upper": 0.0003211507534615075}
{"quantity": "chua2025.eq_6", "params": {"T": 4517, "sigma": 0.4, "eps": 0.5}, "value": "0.012637902946633591"}
{"quantity": "balls_and_bins.delta_add", "params": {"T": 12497, "sigma": 0.4, "eps": 0.5}, "lower": 1.6675148644248513e-11, "upper": 1.6813532154135318e-11}
{"quantity": "balls_and_bins.delta_remove_epochs", "params": {"T": 500, "sigma": 0.6, "k": 10, "eps": 2}, "lower": 0.0005430117527367064, "upper": 0.0005443680414926608}
{"quantity": "exact.deterministic_delta", "params": {"sigma": 0.3, "eps": 6}, "value": "0.34067048731875068"}
{"quantity": "chua2025.shuffle_lower", "params": {"T": 1563, "sigma": 0.4, "eps": 2}, "value": "0.50236678895280522"}
{"quantity": "chua2025.c_eps_remove", "params": {"T": 10000, "sigma": 0.35, "eps": 12}, "value": "1.9331589220157144"}
{"quantity": "chua2025.event_probability_remove", "params": {"T": 10000, "sigma": 0.35, "eps": 12}, "value": "0.00016632103267405738"}
{"quantity": "chua2025.c_eps_add", "params": {"T": 5000, "sigma": 0.4, "eps": 0.1}, "value": "1.846750910626598"}
{"quantity": "chua2025.event_probability_add", "params": {"T": 5000, "sigma": 0.4, "eps": 0.1}, "value": "0.99030832339840437"}
{"quantity": "exact.balls_and_bins_rdp", "params": {"T": 5000, "sigma": 0.4, "alpha": 2}, "value": "0.098398646426328594"}
{"quantity": "order_statistics.mean_log_uniform", "params": {"R": 1000, "k": 10}, "value": "-0.010045287040454812"}
{"quantity": "order_statistics.mean_normal", "params": {"R": 1000, "k": 10}, "value": "2.34312361"}
{"quantity": "chua2025.kl_upper_confidence", "params": {"q": 0.0, "m": 200000, "beta": 0.001}, "value": "3.453817993824e-05"}
{"quantity": "poisson.delta_remove", "params": {"T": 36133, "sigma": 0.4, "q": 2.7675532062103894e-05, "eps": 2}, "lower": 4.4298078606019204e-05, "upper": 4.431083787110837e-05})";

/// The same of local privacy.
constexpr const char* local_sample =
    R"({"quantity": "rrrr.response_probability", "params": {"K": 3, "S": [2], "eps": "0.1", "kappa": "0.5", "y": 2, "x": 2}, "value": "0.5124973964842103436615"}
{"quantity": "rrrr.epsilon_2", "params": {"K": 20, "k": 19, "eps": "1", "kappa": "1"}, "value": "1.000000000000000000000"}
{"quantity": "rrrr.response_marginal", "params": {"K": 10, "S": [1, 2, 3, 5, 8, 9, 10], "eps": "0.1", "kappa": "0.9", "theta_counts": [430467, 531441, 387420, 478297, 810000, 656100, 729000, 590490, 900000, 1000000], "y": 6}, "value": "0.04229508345822796962345"}
{"quantity": "utility.fisher_information", "params": {"S": [], "eps": "1", "kappa": "0.8", "theta_counts": [1000000, 600000, 360000]}, "value": "-3.456131361036656281986"}
{"quantity": "utility.entropy", "params": {"S": [], "eps": "1", "kappa": "0.9", "theta_counts": [1000000, 750000, 562500]}, "value": "-1.095038988704754893433"}
{"quantity": "utility.posterior_total_variation", "params": {"S": [], "eps": "0.5", "kappa": "0.9", "theta_counts": [1000000, 900000, 810000]}, "value": "0.1180920505791646930990"}
{"quantity": "utility.marginal_total_variation", "params": {"S": [], "eps": "1", "kappa": "0.8", "theta_counts": [1000000, 900000, 810000]}, "value": "-0.02268009288153312880832"}
{"quantity": "utility.mean_squared_error", "params": {"S": [], "eps": "1", "kappa": "0.8", "theta_counts": [1000000, 750000, 562500]}, "value": "-0.5637062484982254856001"}
{"quantity": "utility.honest_response", "params": {"S": [], "eps": "1", "kappa": "0.9", "theta_counts": [1000000, 750000, 562500]}, "value": "0.5761168847658291098583"}
{"quantity": "rrrr.trace_inverse_fisher_drop_smallest", "params": {"K": 4, "S": [3], "eps": "1", "kappa": "0.8", "theta_counts": [290178, 385603, 963002, 237272]}, "value": "40.00724497842727267605"}
{"quantity": "rrrr.trace_inverse_fisher_drop_last", "params": {"K": 4, "S": [3], "eps": "1", "kappa": "0.8", "theta_counts": [290178, 385603, 963002, 237272]}, "value": "40.00724497842727267605"}
{"quantity": "rrrr.trace_full_covariance", "params": {"K": 4, "S": [3], "eps": "1", "kappa": "0.8", "theta_counts": [290178, 385603, 963002, 237272]}, "value": "58.86317289360205295921"}
{"quantity": "rrrr.fisher_determinant", "params": {"K": 4, "S": [3], "eps": "1", "kappa": "0.8", "theta_counts": [290178, 385603, 963002, 237272]}, "value": "0.002167221422570184222767"}
{"quantity": "rrrr.response_matrix_determinant", "params": {"K": 4, "S": [3], "eps": "1", "kappa": "0.8"}, "value": "0.002216651311624342620287"}
{"quantity": "best_k.fisher_information", "params": {"eps": "0.5", "kappa": "0.8", "theta_counts": [1000000, 750000, 562500, 421875, 316406, 237305, 177979, 133484]}, "value": 0, "gap_to_second": "92.41948"}
{"quantity": "best_k.entropy", "params": {"eps": "0.5", "kappa": "0.9", "theta_counts": [1000000, 600000, 360000, 216000, 129600, 77760, 46656, 27994]}, "value": 2, "gap_to_second": "0.0055277283"}
{"quantity": "best_k.posterior_total_variation", "params": {"eps": "0.5", "kappa": "0.8", "theta_counts": [1000000, 600000, 360000, 216000, 129600, 77760, 46656, 27994]}, "value": 1, "gap_to_second": "0.0032782825"}
{"quantity": "best_k.marginal_total_variation", "params": {"eps": "0.5", "kappa": "0.9", "theta_counts": [1000000, 600000, 360000, 216000, 129600, 77760, 46656, 27994]}, "value": 3, "gap_to_second": "0.0036311463"}
{"quantity": "best_k.mean_squared_error", "params": {"eps": "0.5", "kappa": "0.9", "theta_counts": [1000000, 900000, 810000, 729000, 656100, 590490, 531441, 478297]}, "value": 2, "gap_to_second": "4.1666412e-5"}
{"quantity": "best_k.honest_response", "params": {"eps": "0.5", "kappa": "0.9", "theta_counts": [1000000, 750000, 562500, 421875, 316406, 237305, 177979, 133484]}, "value": 2, "gap_to_second": "0.0068860022"}
{"quantity": "rrrr.honest_probability_geometric", "params": {"K": 20, "k": 10, "eps": "1", "kappa": "0.9", "ratio": "1"}, "value": "0.1096114888104659794850"}
{"quantity": "srr.honest_probability", "params": {"K": 20, "eps": "1"}, "value": "0.1251609979983353347788"}
{"quantity": "posterior.gradient_phi", "params": {"K": 3, "eps": "5", "kappa": "0.9", "phi_times_10": [27, 20, 35], "rho": ["0.5", "2", "0.5"], "data": [{"y": 1, "S": []}, {"y": 1, "S": [2, 3]}, {"y": 2, "S": []}, {"y": 3, "S": []}, {"y": 3, "S": []}]}, "value": ["-1.060295245418640104631", "-0.6096853584524109833116", "-1.176523462989957071678"]}
{"quantity": "posterior.log_likelihood", "params": {"K": 3, "eps": "5", "kappa": "0.9", "phi_times_10": [27, 20, 35], "data": [{"y": 1, "S": []}, {"y": 1, "S": [2, 3]}, {"y": 2, "S": []}, {"y": 3, "S": []}, {"y": 3, "S": []}]}, "value": "-5.336315884505490841505"}
{"quantity": "rrrr.max_log_ratio", "params": {"K": 20, "k": 2, "eps": "1", "kappa": "0.9"}, "value": "1.000000000000000000000"}
{"quantity": "rrrr.max_log_ratio_as_released", "params": {"K": 20, "k": 1, "eps": "0.5", "kappa": "0.8", "code_eps2": "0.5"}, "value": "0.8664267182510945011875"}
{"quantity": "posterior.mean", "params": {"K": 2, "eps": "1", "kappa": "0.9", "rho": [2, 1], "data": [{"y": 1, "S": []}, {"y": 1, "S": []}, {"y": 1, "S": [1]}, {"y": 2, "S": []}, {"y": 1, "S": [2]}, {"y": 1, "S": [2]}]}, "value": ["0.7865557991596073761375", "0.2134442008403926238625"]}
{"quantity": "posterior.variance", "params": {"K": 2, "eps": "1", "kappa": "0.9", "rho": [2, 1], "data": [{"y": 1, "S": []}, {"y": 1, "S": []}, {"y": 1, "S": [1]}, {"y": 2, "S": []}, {"y": 1, "S": [2]}, {"y": 1, "S": [2]}]}, "value": ["0.03012979195665653796380", "0.03012979195665653796380"]}
{"quantity": "posterior.log_marginal_likelihood", "params": {"K": 2, "eps": "1", "kappa": "0.9", "rho": [2, 1], "data": [{"y": 1, "S": []}, {"y": 1, "S": []}, {"y": 1, "S": [1]}, {"y": 2, "S": []}, {"y": 1, "S": [2]}, {"y": 1, "S": [2]}]}, "value": "-3.561932322180940872613"})";

double number(const Json& value) {
    return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                             : value.get<double>();
}

double admitted_width(const std::string& quantity) {
    for (const char* family : {"exact.", "profile.", "convert.", "rrrr.", "utility."})
        if (quantity.starts_with(family)) return 1e-11;
    return 1e-9;
}

/// Within the printed precision of the value, and tight.
void check_value(const std::string& quantity, const Json& expected, const Json& low,
                 const Json& high) {
    const double value = number(expected);
    const double lower = number(low);
    const double upper = number(high);
    if (std::isinf(value)) {
        CHECK(lower == value);
        CHECK(upper == value);
        return;
    }
    const bool is_absolute =
        quantity == "utility.posterior_total_variation" || quantity == "utility.mean_squared_error";
    const double slack = 1e-13 * (is_absolute ? 1.0 : std::fabs(value));
    CHECK(lower <= value + slack);
    CHECK(upper >= value - slack);
    CHECK(upper - lower <= (is_absolute ? slack : admitted_width(quantity) * std::fabs(value)));
}

/// The rule of the machine interface: proved, and every value agrees; vectors give vectors.
void check_agreement(const Json& expected, const Json& answer) {
    INFO(answer.dump());
    REQUIRE(answer.value("status", "") == "certified");
    CHECK(answer["quantity"] == expected["quantity"]);
    CHECK(answer["params"] == expected["params"]);
    const Json& value = expected["value"];
    if (value.is_array()) {
        REQUIRE(answer["lower"].size() == value.size());
        for (std::size_t i = 0; i < value.size(); ++i)
            check_value(expected["quantity"], value[i], answer["lower"][i], answer["upper"][i]);
    } else {
        check_value(expected["quantity"], value, answer["lower"], answer["upper"]);
    }
    if (expected.contains("applies")) CHECK(answer["applies"] == expected["applies"]);
    for (const char* key : {"alpha_opt", "rhs4", "rhs5"})
        if (expected.contains(key))
            CHECK(number(answer[key]) == Approx(number(expected[key])).epsilon(1e-13));
}

/// A bracket agrees with one that was found otherwise when they meet and it is narrow enough.
void check_meeting(const Json& expected, const Json& answer) {
    INFO(answer.dump());
    REQUIRE(answer.value("status", "") == "certified");
    const double lower = number(answer["lower"]);
    const double upper = number(answer["upper"]);
    CHECK(lower <= number(expected["upper"]));
    CHECK(number(expected["lower"]) <= upper);
    const std::string quantity = expected["quantity"];
    const Json& params = expected["params"];
    const double slope = 1.0 / number(params["sigma"]);
    const bool wide = !quantity.ends_with("delta_remove") ||
                      number(params["T"]) > 100.0 * std::expm1(slope * slope);
    if (upper >= 1e-10) CHECK(upper - lower <= (wide ? 1e-2 : 1e-3) * upper);
}

void check_mean_normal(const Json& expected, const Json& answer) {
    INFO(answer.dump());
    CHECK(std::fabs(number(answer["lower"]) - number(expected["value"])) <= 1e-9);
    CHECK(std::fabs(number(answer["upper"]) - number(expected["value"])) <= 1e-9);
}

int check_all(std::istream& lines) {
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        bool failed = false;
        const Json expected = Json::parse(line);
        const Json answer = answer_line(line, count + 1, {.budget = 600.0, .file = {}}, failed);
        if (expected.contains("upper"))
            check_meeting(expected, answer);
        else if (expected["quantity"] == "order_statistics.mean_normal")
            check_mean_normal(expected, answer);
        else
            check_agreement(expected, answer);
        CHECK_FALSE(failed);
    }
    return count;
}

/// The shared folder that the environment names, or the one beside the source tree.
std::filesystem::path oracle_file(const char* name) {
    const char* shared = std::getenv("ASSAY_SHARED");
    const std::filesystem::path folder = shared != nullptr ? shared : "../shared";
    return folder / "oracle" / name;
}

}  // namespace

TEST_CASE("one line of every quantity agrees with independent 30-digit values", "[cli]") {
    std::istringstream lines{std::string(sample)};
    CHECK(check_all(lines) == 40);
    std::istringstream epochs{std::string(epoch_sample)};
    CHECK(check_all(epochs) == 15);
    std::istringstream local{std::string(local_sample)};
    CHECK(check_all(local) == 29);
}

TEST_CASE("the whole files of independent values agree", "[cli]") {
    for (const char* name : {"rdp.jsonl", "balls_and_bins.jsonl", "local_dp.jsonl"}) {
        const std::filesystem::path file = oracle_file(name);
        std::ifstream lines(file);
        if (!lines) {
            WARN("left out: " << file.string() << " is not there; set ASSAY_SHARED to its folder");
            continue;
        }
        CHECK(check_all(lines) > 0);
    }
}
