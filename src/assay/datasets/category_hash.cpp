#include "assay/datasets/category_hash.hpp"

namespace assay {

namespace {

std::uint64_t hash(std::string_view text) {
    std::uint64_t h = 0xCBF29CE484222325U;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    h = (h ^ h >> 30U) * 0xBF58476D1CE4E5B9U;
    h = (h ^ h >> 27U) * 0x94D049BB133111EBU;
    return h ^ h >> 31U;
}

}  // namespace

std::int32_t category_bucket(std::string_view text, std::int32_t buckets) {
    if (text.empty()) return 0;
    // 32 leading bits times fewer than 2^31 buckets fit in 64 bits.
    const std::uint64_t product = (hash(text) >> 32U) * static_cast<std::uint64_t>(buckets - 1);
    return 1 + static_cast<std::int32_t>(product >> 32U);
}

}  // namespace assay
