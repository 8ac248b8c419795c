#define CATCH_CONFIG_MAIN  // of Catch2 2; the library of Catch2 3 has its own
#include <catch2/catch.hpp>
