#include "assay/datasets/cifar_files.hpp"
#include "fuzz/input_file.hpp"

// As it stands where the first byte is odd; else two bytes are the labels of a record each.
FUZZ_TARGET(cifar) {
    if (input.empty()) return;
    const bool whole = input.front() % 2 == 0;
    const bool hundred = input.front() % 4 < 2;
    const bool packed = input.front() % 8 < 2;
    std::string content;
    for (std::size_t i = 1; whole && i + 1 < input.size() && i < 20; i += 2) {
        content += input[i];
        if (hundred) content += input[i + 1];
        content.append(3072, input[i + 1]);
    }
    if (!whole) content = input.substr(1);
    const std::string name = std::string(hundred ? "test.bin" : "test_batch.bin");
    for (const char* other : {"test.bin", "test_batch.bin", "test.bin.gz", "test_batch.bin.gz"})
        std::filesystem::remove(fuzz::input_folder() / other);
    fuzz::input_file((name + (packed ? ".gz" : "")).c_str(), content);
    assay::ReadReport report;
    assay::ReadOptions options;
    options.skip_bad = input.front() % 16 < 8;
    static_cast<void>((hundred ? assay::read_cifar100 : assay::read_cifar10)(
        fuzz::input_folder(), assay::DataPart::test, options, report));
}
