#include "assay/cli/answer_lines.hpp"

#include "assay/files/bounded_input.hpp"
#include "assay/files/working_notice.hpp"
#include "assay/numeric/errors.hpp"

namespace assay::cli {

void answer_lines(std::istream& in, const std::string& file, std::ostream& out, std::ostream& err,
                  const std::function<Json(std::string_view line, int number)>& answer) {
    const std::string source = file.empty() ? "standard input" : file;
    LineNotice notice(err, file.empty());
    std::string line;
    const auto next = [&](int number) {
        try {
            return read_line(in, line, largest_json_line);
        } catch (const Error& error) {
            throw FileError(source, number, error.what());
        }
    };
    for (int number = 1; next(number); ++number) {
        const bool is_whole = line.size() <= largest_json_line;
        if (is_whole && line.find_first_not_of(" \t\r\f\v") == line.npos) continue;
        notice.begin(number);
        const Json reply = answer(line, number);
        notice.end();
        out << reply.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
        if (!out) throw Error("standard output cannot be written");
    }
    if (in.bad()) throw FileError(source, 0, "cannot be read to its end");
}

}  // namespace assay::cli
