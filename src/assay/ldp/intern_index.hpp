#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Numbers 0, 1, 2, .. given to distinct keys in the order they come. The keys themselves lie with
/// the owner; here are only their numbers, by hash (open addressing, linear probing).
///   Memory     4 bytes a slot, two thirds of the slots at most taken: 6 to 12 bytes a key
class InternIndex {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    /// The number of the key with this hash for which `same(number)`, or `next` where there is
    /// none: then the key has that number from now on. `hash_of(number)` is asked when the table
    /// grows.
    template <class Same, class HashOf>
    std::uint32_t intern(std::uint64_t hash, std::uint32_t next, const Same& same,
                         const HashOf& hash_of) {
        if (3 * (std::size_t{next} + 1) > 2 * slots_.size()) grow(next, hash_of);
        std::size_t at = place(hash);
        for (; slots_[at] != none; at = (at + 1) & mask())
            if (same(slots_[at])) return slots_[at];
        slots_[at] = next;
        return next;
    }
    [[nodiscard]] std::size_t bytes() const { return slots_.capacity() * sizeof(std::uint32_t); }

    /// Every bit of the result depends on every bit of the argument (the finaliser of MurmurHash3).
    [[nodiscard]] static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ x >> 33U) * 0xFF51AFD7ED558CCDU;
        x = (x ^ x >> 33U) * 0xC4CEB9FE1A85EC53U;
        return x ^ x >> 33U;
    }

private:
    [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
    [[nodiscard]] std::size_t place(std::uint64_t hash) const {
        return static_cast<std::size_t>(hash) & mask();
    }
    template <class HashOf>
    void grow(std::uint32_t count, const HashOf& hash_of) {
        const std::size_t size = slots_.empty() ? 64 : 2 * slots_.size();
        slots_ = std::vector<std::uint32_t>();  // the old table is gone before the
                                                // new one comes
        slots_.assign(size, none);
        for (std::uint32_t number = 0; number < count; ++number) {
            std::size_t at = place(hash_of(number));
            while (slots_[at] != none) at = (at + 1) & mask();
            slots_[at] = number;
        }
    }

    std::vector<std::uint32_t> slots_;
};

}  // namespace assay
