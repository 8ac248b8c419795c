#pragma once
#include <filesystem>

#include "assay/datasets/criteo_ads_file.hpp"

namespace assay {

/// Criteo's sponsored search conversion log (Tallis and Yadav 2018): CriteoSearchData, plain or
/// .gz; the path is the file, or the folder that has it (or has its Criteo_Conversion_Search/).
///   Format     23 fields between tabs, and at most one header line: Sale, SalesAmountInEuro,
///              time_delay_for_conversion, click_timestamp, nb_clicks_1week, product_price,
///              product_age_group, device_type, audience_id, product_gender, product_brand,
///              product_category(1) .. (7), product_country, product_id, product_title,
///              partner_id, user_id
///   Maths      the label is Sale. The two other outcomes and product_price, which tells the
///              outcome, are left out (chua2025 Sec. 5); the 19 other fields are categories
///              (App. C), each category_bucket of its text, -1 and the empty text missing
///   Domain     buckets 2 .. 2^30
///   Cost       80 bytes an example
///   Throws     FileError: no such file; (file, line) the wrong number of fields, or a label that
///              is none, unless bad records are skipped. DomainError (buckets, limit)
[[nodiscard]] Dataset read_criteo_search(const std::filesystem::path& file_or_folder,
                                         const CriteoOptions& criteo, const ReadOptions& options,
                                         ReadReport& report);

}  // namespace assay
