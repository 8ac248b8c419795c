#pragma once
#include <istream>
#include <ostream>

namespace CLI {
class App;
}

namespace assay::cli {

/// Where a command reads and writes.
struct Streams {
    std::istream& in;
    std::ostream& out;
    std::ostream& err;
};

// Each adds one command to the program: its options and what it does. A command writes nothing
// before it has all it needs; it throws an Error of one line, and sets `exit_code` otherwise.
void add_ask_command(CLI::App& program, Streams& streams, int& exit_code);
void add_eval_command(CLI::App& program, Streams& streams, int& exit_code);
void add_epsilon_command(CLI::App& program, Streams& streams, int& exit_code);
void add_delta_command(CLI::App& program, Streams& streams, int& exit_code);
void add_rdp_command(CLI::App& program, Streams& streams, int& exit_code);
void add_calibrate_command(CLI::App& program, Streams& streams, int& exit_code);
void add_compare_command(CLI::App& program, Streams& streams, int& exit_code);
void add_tradeoff_command(CLI::App& program, Streams& streams, int& exit_code);
void add_train_command(CLI::App& program, Streams& streams, int& exit_code);

}  // namespace assay::cli
