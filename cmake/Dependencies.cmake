# Everything comes from Debian 12 packages (scripts/install-packages.sh); docs/dependencies.md says why each is there.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(TBB 2021.8 REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(LIBAV REQUIRED IMPORTED_TARGET libavformat libavcodec libavutil libswscale)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
