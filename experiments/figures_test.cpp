#include "experiments/figures.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "assay/numeric/errors.hpp"

using namespace assay;
using namespace assay::experiments;

TEST_CASE("every figure has its parameters, driver and plot under one stem", "[experiments]") {
    std::set<std::string> stems;
    for (const Figure& figure : all_figures()) {
        INFO(figure.stem);
        CHECK(stems.insert(figure.stem).second);
        CHECK(figure.stem.rfind(figure.paper + "/", 0) == 0);
        CHECK(figure.run != nullptr);
        CHECK(std::filesystem::exists("experiments/" + figure.stem + ".toml"));
        CHECK(std::filesystem::exists("experiments/" + figure.stem + ".cpp"));
        CHECK(std::filesystem::exists("plots/" + figure.stem + ".py"));
    }
}

TEST_CASE("figures are chosen by stem, in the order of the list", "[experiments]") {
    const std::vector<Figure> figures = {
        {"p/fig01", "p", nullptr}, {"p/fig02", "p", nullptr}, {"q/fig01", "q", nullptr}};
    CHECK(choose_figures(figures, {}).size() == 3);
    const auto chosen = choose_figures(figures, {"q/fig01", "p/fig01"});
    REQUIRE(chosen.size() == 2);
    CHECK(chosen[0].stem == "p/fig01");
    CHECK(chosen[1].stem == "q/fig01");
    CHECK_THROWS_AS(choose_figures(figures, {"p/fig03"}), DomainError);
}
