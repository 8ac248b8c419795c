#include "verify/conformance/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "assay/files/build_info.hpp"

namespace assay::verify {

namespace {

constexpr const char* style = R"(<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0}th,td{padding:.25em .6em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}code{font-size:12px;word-break:break-all}
.UNSOUND,.invalid,.crash,.timeout{color:#b00020;font-weight:600}.off,.loose{color:#a05a00}.sound,.close{color:#1b6e3c}
.undecided,.unsupported{color:#666}svg{background:#fafafa;border:1px solid #ddd}svg text{font:11px system-ui,sans-serif;fill:#444}
.wide{overflow-x:auto}svg{max-width:100%;height:auto}th{font-weight:600}small{color:#666;display:block;font-weight:400}
</style>)";

/// Of a verdict and a kind of question, so that no kind hides the others.
constexpr std::size_t worst_shown = 15;

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

const char* colour(ClaimVerdict verdict) {
    switch (verdict) {
        case ClaimVerdict::sound:
        case ClaimVerdict::close: return "#1b6e3c";
        case ClaimVerdict::loose:
        case ClaimVerdict::off: return "#d08a00";
        case ClaimVerdict::undecided: return "#888888";
        default: return "#b00020";
    }
}

const char* meaning(ClaimVerdict verdict) {
    switch (verdict) {
        case ClaimVerdict::sound: return "the claim holds, and is within 1 % of what is certified";
        case ClaimVerdict::loose:
            return "the claim holds, and could be tighter by the factor: for an upper claim, it "
                   "over U";
        case ClaimVerdict::unsound:
            return "the claim is wrong, the truth lies on its other side; the factor is below 1: "
                   "for an upper claim, it over L";
        case ClaimVerdict::undecided:
            return "the claim lies within the certified bracket, which is too wide to judge it";
        case ClaimVerdict::close: return "an estimate within 1 % of the certified bracket";
        case ClaimVerdict::off: return "an estimate farther away";
        case ClaimVerdict::invalid:
            return "NaN, a negative answer, a probability above 1, or no answer of the protocol";
        case ClaimVerdict::crash:
            return "an exception that the adapter reports, or the end of the program";
        case ClaimVerdict::timeout: return "no answer within the limit";
        default: return "not answered: the library, or its adapter, does not offer this";
    }
}

using Cell = std::map<ClaimVerdict, std::size_t>;

/// `all` has the verdicts that have a column.
std::string matrix_row(const std::string& name, const std::string& note, const Cell& cell,
                       const Cell& all) {
    std::string row = fmt::format("<tr><th>{}{}</th>", escaped(name),
                                  note.empty() ? "" : "<small>" + escaped(note) + "</small>");
    std::size_t total = 0;
    for (const ClaimVerdict verdict : all_claim_verdicts) {
        if (!all.contains(verdict)) continue;
        const auto found = cell.find(verdict);
        const std::size_t n = found == cell.end() ? 0 : found->second;
        total += n;
        row += n == 0 ? std::string("<td class=n>&middot;</td>")
                      : fmt::format("<td class=\"n {}\">{}</td>", to_string(verdict), n);
    }
    return row + fmt::format("<td class=n>{}</td></tr>\n", total);
}

bool all_unsupported(const Cell& cell) {
    return cell.size() == 1 && cell.contains(ClaimVerdict::unsupported);
}

/// A row a name, with `notes` below the names; names of which nothing was answered in one line.
std::string matrix(const ConformanceRun& run,
                   const std::function<std::vector<std::string>(const TestVector&)>& names,
                   const std::map<std::string, std::string>& notes = {}) {
    std::map<std::string, Cell> rows;
    Cell all;
    for (std::size_t i = 0; i < run.vectors.size(); ++i) {
        if (!run.answers[i]) continue;
        const ClaimVerdict verdict = run.answers[i]->judged.verdict;
        ++all[verdict];
        for (const std::string& name : names(run.vectors[i])) ++rows[name][verdict];
    }
    std::string html = "<div class=wide><table><tr><th></th>";
    for (const ClaimVerdict verdict : all_claim_verdicts)
        if (all.contains(verdict)) html += fmt::format("<th>{}</th>", to_string(verdict));
    html += "<th>all</th></tr>\n";
    std::string folded;
    for (const auto& [name, cell] : rows) {
        const auto note = notes.find(name);
        if (all_unsupported(cell))
            folded += fmt::format("{}{} ({})", folded.empty() ? "" : "; ", escaped(name),
                                  cell.begin()->second);
        else
            html += matrix_row(name, note == notes.end() ? "" : note->second, cell, all);
    }
    html += matrix_row("all vectors", "", all, all) + "</table></div>\n";
    return folded.empty() ? html : html + "<p>Unsupported throughout: " + folded + ".</p>\n";
}

/// An axis in powers of ten.
struct LogAxis {
    double low;  // exponents
    double high;
    double from;  // pixels
    double to;

    [[nodiscard]] double at(double x) const {
        const double e = std::clamp(std::log10(x), low, high);
        return from + (e - low) / (high - low) * (to - from);
    }
};

bool is_number(const std::optional<JudgedAnswer>& answer) {
    return answer && !std::isnan(answer->judged.factor);
}

/// Error factors beside the certified gap, both in powers of ten.
std::string factor_picture(const ConformanceRun& run) {
    constexpr double width = 760;
    constexpr double height = 360;
    const LogAxis x{-10, 0, 60, width - 20};
    const LogAxis y{-4, 4, height - 40, 20};
    std::string svg = fmt::format(
        "<svg viewBox=\"0 0 {} {}\" width=\"{}\" role=img "
        "aria-label=\"error factor beside certified gap\">\n",
        width, height, width);
    for (int e = -10; e <= 0; e += 2)
        svg += fmt::format("<text x={:.0f} y={:.0f} text-anchor=middle>1e{}</text>\n",
                           x.at(std::pow(10, e)), height - 22, e);
    for (int e = -4; e <= 4; ++e)
        svg += fmt::format(
            "<text x=52 y={:.0f} text-anchor=end>1e{}</text><line x1=60 x2={} y1={:.1f} y2={:.1f} "
            "stroke=\"{}\" />\n",
            y.at(std::pow(10, e)) + 4, e, width - 20, y.at(std::pow(10, e)), y.at(std::pow(10, e)),
            e == 0 ? "#888" : "#ddd");
    for (std::size_t i = 0; i < run.vectors.size(); ++i) {
        if (!is_number(run.answers[i])) continue;
        const JudgedClaim& judged = run.answers[i]->judged;
        svg += fmt::format(
            "<circle cx={:.1f} cy={:.1f} r=3 fill=\"{}\" fill-opacity=.5><title>{}: factor "
            "{:.9g}</title></circle>\n",
            x.at(std::max(run.vectors[i].gap(), 1e-10)), y.at(std::max(judged.factor, 1e-10)),
            colour(judged.verdict), escaped(run.vectors[i].comment), judged.factor);
    }
    return svg + fmt::format(
                     "<text x={:.0f} y={:.0f} text-anchor=middle>certified gap, relative "
                     "(1e-10: that or less)</text></svg>\n",
                     width / 2, height - 6);
}

std::string time_picture(const ConformanceRun& run) {
    constexpr int bins = 28;  // four to a power of ten, from 1e-5 s to 100 s
    std::array<std::size_t, bins> counts{};
    for (const auto& answer : run.answers) {
        if (!answer || answer->judged.verdict == ClaimVerdict::unsupported) continue;
        const double e = std::log10(std::max(answer->seconds, 1e-9)) + 5.0;
        ++counts[static_cast<std::size_t>(std::clamp(e * 4.0, 0.0, bins - 1.0))];
    }
    const double most = static_cast<double>(
        std::max<std::size_t>(1, *std::max_element(counts.begin(), counts.end())));
    std::string svg = "<svg viewBox=\"0 0 760 180\" width=760 role=img>\n";
    for (int b = 0; b < bins; ++b) {
        const double h = 120.0 * static_cast<double>(counts[static_cast<std::size_t>(b)]) / most;
        svg += fmt::format(
            "<rect x={} y={:.1f} width=22 height={:.1f} "
            "fill=\"#4a6fa5\"><title>{}</title></rect>\n",
            60 + 24 * b, 140 - h, h, counts[static_cast<std::size_t>(b)]);
    }
    for (int e = -5; e <= 2; ++e)
        svg += fmt::format("<text x={} y=156 text-anchor=middle>1e{} s</text>\n", 60 + 96 * (e + 5),
                           e);
    return svg + fmt::format("<text x=52 y=24 text-anchor=end>{:.0f}</text></svg>\n", most);
}

/// Where the UNSOUND claims are and by how much: a cause that they share shows here.
std::string unsound_groups(const ConformanceRun& run) {
    std::map<std::string, std::vector<double>> factors;
    for (std::size_t i = 0; i < run.vectors.size(); ++i)
        if (run.answers[i] && run.answers[i]->judged.verdict == ClaimVerdict::unsound)
            factors[run.vectors[i].group].push_back(run.answers[i]->judged.factor);
    if (factors.empty()) return "";
    std::string html =
        "<table><tr><th>UNSOUND in</th><th>claims</th><th>factor: least, median, "
        "largest</th></tr>\n";
    for (auto& [group, values] : factors) {
        std::ranges::sort(values);
        html += fmt::format(
            "<tr><td>{}</td><td class=n>{}</td><td class=n>{:.7g}, {:.7g}, {:.7g}</td></tr>\n",
            escaped(group), values.size(), values.front(), values[values.size() / 2],
            values.back());
    }
    return html + "</table>\n";
}

/// An end of a bracket in nine digits, all of them where the pointer rests on it.
std::string shortened(const std::string& decimal, double value) {
    return fmt::format("<span title=\"{}\">{:.9g}</span>", escaped(decimal), value);
}

std::string worst_table(const ConformanceRun& run, const std::string& command) {
    std::string html =
        "<div class=wide><table><tr><th>verdict</th><th>claim</th><th>certified L, U</th>"
        "<th>factor</th><th>question and how to repeat it</th></tr>\n";
    std::map<std::pair<ClaimVerdict, std::string>, std::size_t> seen;
    for (const std::size_t i : worst_first(run)) {
        const JudgedAnswer& answer = *run.answers[i];
        const TestVector& vector = run.vectors[i];
        const ClaimVerdict verdict = answer.judged.verdict;
        if (verdict == ClaimVerdict::sound || verdict == ClaimVerdict::close ||
            verdict == ClaimVerdict::unsupported || verdict == ClaimVerdict::undecided)
            continue;
        if (++seen[{verdict, vector.asked}] > worst_shown) continue;
        html += fmt::format(
            "<tr><td class={0}>{0}</td><td>{1} {2}{3}</td><td class=n>{4}<br>{5}</td>"
            "<td class=n>{6}</td><td>{7}; {8}; {9} (vector {10})<br><code>{11}</code></td></tr>\n",
            to_string(verdict),
            answer.claimed == Claim::Kind::malformed ? "" : to_string(answer.claimed),
            escaped(answer.said),
            answer.judged.note.empty() ? "" : "<br>" + escaped(answer.judged.note),
            shortened(vector.lower, vector.bracket.lower),
            shortened(vector.upper, vector.bracket.upper),
            std::isnan(answer.judged.factor) ? std::string("-")
                                             : fmt::format("{:.6g}", answer.judged.factor),
            escaped(vector.asked), escaped(vector.group), escaped(vector.comment),
            escaped(vector.id), escaped(reproduction(vector, command)));
    }
    return seen.empty() ? "<p>None: no answer is UNSOUND, loose, off, invalid or missing.</p>\n"
                        : html + "</table></div>\n";
}

std::string changes_table(const ConformanceRun& run) {
    if (!run.compared) return "";
    std::string html =
        fmt::format("<h2>Since the baseline</h2><p>{} verdicts changed.</p>\n", run.changes.size());
    if (run.changes.empty()) return html;
    html += "<table><tr><th>vector</th><th>before</th><th>now</th></tr>\n";
    for (const VerdictChange& change : run.changes)
        html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", escaped(change.id),
                            change.before.empty() ? "new" : change.before,
                            change.after.empty() ? "gone" : change.after);
    return html + "</table>\n";
}

std::string meanings() {
    std::string html = "<table>";
    for (const ClaimVerdict verdict : all_claim_verdicts)
        html += fmt::format("<tr><td class={0}>{0}</td><td>{1}</td></tr>\n", to_string(verdict),
                            meaning(verdict));
    return html + "</table>\n";
}

}  // namespace

std::string conformance_page(const ConformanceRun& run, const ConformanceOptions& options) {
    const std::size_t unsound = run.count(ClaimVerdict::unsound);
    const auto numbers =
        static_cast<std::size_t>(std::count_if(run.answers.begin(), run.answers.end(), is_number));
    const std::string command = "<code>" + escaped(options.interview.command) + "</code>";
    const std::string library = escaped(run.summary.library);
    std::string html =
        "<!doctype html><html lang=en><meta charset=utf-8>"
        "<meta name=viewport content=\"width=device-width\"><title>Conformance of " +
        (library.empty() ? escaped(options.interview.command) : library) + "</title>" +
        std::string(style);
    html += fmt::format(
        "<h1>{} beside certified answers</h1>\n<p>{} was asked {} of {} "
        "questions about the privacy of a noisy sum or average. For each there are certified "
        "numbers L and U with the truth between them, confirmed by a second route where the "
        "vector's file names one. It gave {} numbers; <b class={}>{} of them are UNSOUND</b>, on "
        "the wrong side of the truth. Noise is the standard deviation over the clip norm; under "
        "replace-one a record may move the sum by twice the clip norm.</p>\n",
        library.empty() ? "An accountant" : library,
        library.empty() ? command : library + " (" + command + ")", run.answered(),
        run.vectors.size(), numbers, unsound == 0 ? "sound" : "UNSOUND", unsound);
    html += unsound_groups(run);
    html += fmt::format(
        "<p>Judged by Assay {}; limit {} s an answer, {} at a time, {:.1f} s in all; {} restarts "
        "of the adapter, {} lines of its output that are no answer, {} answers out of "
        "order.</p>\n",
        escaped(version_line()), options.interview.timeout, options.interview.jobs, run.seconds,
        run.summary.restarts, run.summary.noise_lines, run.summary.out_of_order);
    html += "<h2>What the verdicts mean</h2>\n" + meanings();
    html += "<h2>Verdicts by sampler and adjacency</h2>\n";
    html += matrix(run, [](const TestVector& v) { return std::vector<std::string>{v.group}; });
    html += "<h2>Verdicts by question</h2>\n";
    html += matrix(run, [](const TestVector& v) { return std::vector<std::string>{v.asked}; });
    html +=
        "<h2>Verdicts by flag</h2>\n<p>What a vector was made to find; some have several "
        "flags.</p>\n";
    html += matrix(
        run, [](const TestVector& v) { return v.flags; }, run.flags);
    html += changes_table(run);
    html += fmt::format(
        "<h2>The worst first</h2>\n<p>Of answers that are UNSOUND, loose, off, invalid or missing, "
        "at most {} of each verdict and kind of question; all of them are in verdicts.json. The "
        "commands are for the folder that the run was started in, and print the claim.</p>\n",
        worst_shown);
    html += worst_table(run, options.interview.command);
    html +=
        "<h2>Error factor beside the certified gap</h2>\n<p>Up: the factor, from 1e-4 (that or "
        "less) to 1e4 (that or more). Red points below 1 are UNSOUND, green ones at 1 within 1 %, "
        "orange ones above 1 safe and loose, grey ones undecided.</p>\n" +
        factor_picture(run);
    html +=
        "<h2>Time an answer</h2>\n<p>Questions without an answer of the library left out. Up to "
        "as many as the adapter's window are held at once: one that waits for another appears "
        "quicker than it is.</p>\n" +
        time_picture(run);
    return html + "</html>\n";
}

}  // namespace assay::verify
