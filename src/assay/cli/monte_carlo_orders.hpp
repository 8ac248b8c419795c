#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay::cli {

/// Indices from "1,2,5", "1-500" and "510-1000:10" (first-last:step, the last one only where the
/// steps meet it), also mixed; as they stand, without asking that they increase.
///   Domain     integers from 1 to 10^12, at most 1000000 of them
///   Throws     DomainError (orders)
[[nodiscard]] std::vector<std::int64_t> read_index_list(const std::string& text);

/// The shortest such text by greedy runs; the same for equal lists, and it reads back.
[[nodiscard]] std::string index_list_text(std::span<const std::int64_t> indices);

}  // namespace assay::cli
