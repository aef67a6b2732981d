# Toolchain file: builds for aarch64 on another Debian machine, and runs the programs in qemu-user. Libraries are
# the arm64 packages that apt installs beside the native ones.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
