#pragma once

namespace assay {

/// What `main` of a program returns: the status of `run`, or 2 with "program: what is wrong" on
/// standard error where it throws or standard output cannot be written. A write beyond the limit of
/// file sizes fails with a message instead of a signal.
int guarded_main(const char* program, int (*run)(int argc, char** argv), int argc, char** argv);

}  // namespace assay
