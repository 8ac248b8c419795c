#pragma once

namespace tbb {

/// Of the one thread there is (parallel_for.h).
template <class Value>
class enumerable_thread_specific {
public:
    Value& local() { return value_; }

private:
    Value value_{};
};

}  // namespace tbb
