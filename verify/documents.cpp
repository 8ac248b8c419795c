#include <fmt/format.h>

#include "verify/commands.hpp"

namespace assay::verify {

void add_document_commands(CLI::App&, int&) {}

}  // namespace assay::verify
