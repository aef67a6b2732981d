# Toolchain file: builds for aarch64 on another Debian machine, and runs what was built in qemu (qemu-user). Libraries are
# those of architecture arm64 that apt installs beside the machine's own.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
