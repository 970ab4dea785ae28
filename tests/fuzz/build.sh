#!/bin/bash -eu
# Builds all fuzz targets as OSS-Fuzz asks for them: programs, corpora, options and dictionaries in
# $OUT, by $CC with $CFLAGS, linked with $LIB_FUZZING_ENGINE. Its Dockerfile installs what
# scripts/fuzz does. Programs find shared libraries in $OUT/lib. SPDX-License-Identifier: MIT
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${WORK:-$source/build}/oss-fuzz

# $CFLAGS has the sanitizer; with it, as scripts/fuzz does, sanitizers leave some checks out.
meson setup "$build" "$source" -Dfuzz=enabled -Dfuzz_engine="$LIB_FUZZING_ENGINE" -Dtests=enabled \
    -Dsentences=enabled -Dpython=disabled -Dilp=disabled -Dhardening=false -Dbuildtype=plain \
    -Db_lundef=false -Dc_link_args="${CFLAGS-} -Wl,-rpath,\$ORIGIN/lib"
mkdir -p "$OUT/lib"
for file in "$source"/tests/fuzz/fuzz_*.c; do
    target=$(basename "$file" .c)
    ninja -C "$build" "tests/fuzz/$target"
    cp "$build/tests/fuzz/$target" "$OUT/"
    (cd "$source/tests/fuzz/corpus/${target#fuzz_}" && python3 -m zipfile -c \
        "$OUT/${target}_seed_corpus.zip" ./*)
    ldd "$OUT/$target" | awk '/=> \// { print $3 }' |
        grep -Ev '/(libc|libm|libpthread|libdl|librt|libgcc_s|libresolv|ld-linux[^/]*)[.]so' |
        xargs -r cp -Lnt "$OUT/lib"
done
cp "$source"/tests/fuzz/options/* "$OUT/"
