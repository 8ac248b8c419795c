#include <cstdio>

#include "all_headers.hpp"

int main() {
    const assay::Enclosure third = assay::enclose(1.0L / 3.0L, 0x1p-64L);
    const bool sound = third.lower < third.upper && third.contains(1.0 / 3.0);
    std::printf("assay %s: 1/3 in [%.17g, %.17g]\n", assay::build_info().version.c_str(),
                third.lower, third.upper);
    return sound ? 0 : 1;
}
