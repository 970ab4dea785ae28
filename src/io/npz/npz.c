/* npz.c - see npz.h. SPDX-License-Identifier: MIT */
#include "io/npz/npz.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>
#include <zip.h>

#include "base/fail.h"

struct tz_npz {
    zip_t *zip;
    const char *name;
    uint64_t entries;
    uint64_t size; /* of the file */
};

struct tz_npz_array {
    const tz_npz *npz;
    const char *name;
    zip_file_t *file;
    /* What is not packed is read through this instead. libzip takes long to find a checksum, but
     * does so for whole members only: these are all bytes but the first. Then the checksum of what
     * has been read, and what it must be in the end. */
    zip_source_t *stored;
    char first;
    bool begun;
    uint32_t checksum, expected;
    tz_npy npy;
    uint64_t rows, next;
    size_t cells;
    char *whole; /* of an array in Fortran order, once it has been read */
};

/* ---- Errors -------------------------------------------------------------------------------- */

tz_status tz_npz_fail(const tz_npz *npz, const char *array, tz_error *error, tz_status status,
                      const char *format, ...) {
    char message[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return tz_fail(error, status, "%.300s: array '%.100s': %s", npz->name, array, message);
}

static tz_status fail_file(const char *name, tz_error *error, tz_status status, const char *what) {
    return tz_fail(error, status, "%.300s: %.600s", name, what);
}

static tz_status fail_checksum(const tz_npz_array *array, tz_error *error) {
    return tz_npz_fail(array->npz, array->name, error, TZ_IO,
                       "it is damaged: its checksum is not that of its bytes; write or copy the "
                       "file again");
}

static tz_status fail_zip(const tz_npz_array *array, tz_error *error) {
    zip_error_t *why =
        array->stored != NULL ? zip_source_error(array->stored) : zip_file_get_error(array->file);
    int code = zip_error_code_zip(why);
    if (code == ZIP_ER_MEMORY)
        return tz_npz_fail(array->npz, array->name, error, TZ_NO_MEMORY, "out of memory");
    if (code == ZIP_ER_CRC)
        return fail_checksum(array, error);
    return tz_npz_fail(array->npz, array->name, error, TZ_IO, "cannot be read: %s",
                       zip_error_strerror(why));
}

/* ---- Archives ------------------------------------------------------------------------------ */

bool tz_npz_begins(int byte) {
    return byte == 'P';
}

/* The file itself, or a copy of it, to be read from the beginning; NULL with errno: EINVAL where it
 * is no archive, EOVERFLOW where it is a pipe that has too much. */
static FILE *seekable(FILE *file) {
    if (fseeko(file, 0, SEEK_SET) == 0)
        return file;
    char buffer[1 << 16];
    size_t size;
    uint64_t copied = 0;
    FILE *copy = tmpfile();
    while (copy != NULL && (size = fread(buffer, 1, sizeof buffer, file)) > 0) {
        const bool archive = copied > 0 || (size >= 2 && memcmp(buffer, "PK", 2) == 0);
        copied += size;
        if (!archive || copied > TZ_NPZ_PIPE) {
            fclose(copy);
            fclose(file);
            errno = archive ? EOVERFLOW : EINVAL;
            return NULL;
        }
        if (fwrite(buffer, 1, size, copy) != size)
            break;
    }
    if (copy != NULL &&
        (ferror(file) || ferror(copy) || fflush(copy) != 0 || fseeko(copy, 0, SEEK_SET) != 0)) {
        int reason = errno;
        fclose(copy);
        copy = NULL;
        errno = reason;
    }
    int reason = errno;
    fclose(file);
    errno = reason;
    return copy;
}

static tz_status open_archive(tz_npz *npz, FILE *file, tz_error *error) {
    zip_error_t why;
    file = seekable(file);
    if (file == NULL)
        return fail_file(npz->name, error, TZ_IO,
                         errno == EINVAL      ? "this is no .npz; write it with numpy.savez"
                         : errno == EOVERFLOW ? "a pipe gives more than 4 GiB; give the file itself"
                                              : strerror(errno));
    fseeko(file, 0, SEEK_END);
    npz->size = (uint64_t)ftello(file);
    zip_error_init(&why);
    zip_source_t *source = zip_source_filep_create(file, 0, -1, &why);
    if (source == NULL)
        fclose(file);
    else if ((npz->zip = zip_open_from_source(source, ZIP_RDONLY, &why)) == NULL)
        zip_source_free(source);
    tz_status status = TZ_OK;
    int code = zip_error_code_zip(&why);
    char message[300];
    if (npz->zip == NULL) {
        snprintf(message, sizeof message,
                 code == ZIP_ER_MEMORY ? "out of memory"
                                       : "cannot be read as .npz: %s; write it with numpy.savez",
                 zip_error_strerror(&why));
        status = fail_file(npz->name, error, code == ZIP_ER_MEMORY ? TZ_NO_MEMORY : TZ_IO, message);
    } else {
        npz->entries = (uint64_t)zip_get_num_entries(npz->zip, 0);
    }
    zip_error_fini(&why);
    return status;
}

tz_status tz_npz_open(FILE *file, const char *name, tz_npz **ret_npz, tz_error *error) {
    *ret_npz = NULL;
    tz_npz *npz = calloc(1, sizeof *npz);
    if (npz == NULL) {
        fclose(file);
        return fail_file(name, error, TZ_NO_MEMORY, "out of memory");
    }
    npz->name = name;
    tz_status status = open_archive(npz, file, error);
    if (status == TZ_OK)
        *ret_npz = npz;
    else
        tz_npz_free(npz);
    return status;
}

void tz_npz_free(tz_npz *npz) {
    if (npz != NULL && npz->zip != NULL)
        zip_discard(npz->zip);
    free(npz);
}

/* The name of the member without .npy, or 0 where that is not how it ends. */
static size_t array_name(const tz_npz *npz, uint64_t entry, const char **ret_name) {
    const char *name = zip_get_name(npz->zip, entry, ZIP_FL_ENC_RAW);
    size_t size = name != NULL ? strlen(name) : 0;
    *ret_name = name;
    return size > 4 && strcmp(name + size - 4, ".npy") == 0 ? size - 4 : 0;
}

void tz_npz_list(const tz_npz *npz, char *text, size_t size) {
    enum { SHOWN = 12 };
    uint64_t arrays = 0;
    size_t used = 0;
    text[0] = '\0';
    for (uint64_t entry = 0; entry < npz->entries; entry++) {
        const char *name;
        size_t length = array_name(npz, entry, &name);
        if (length == 0 || arrays++ >= SHOWN || used >= size)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", arrays > 1 ? ", " : "",
                                 (int)(length < 40 ? length : 40), name);
    }
    if (arrays > SHOWN && used < size)
        snprintf(text + used, size - used, " and %" PRIu64 " others", arrays - SHOWN);
    if (arrays == 0)
        snprintf(text, size, "none");
}

/* ---- Arrays -------------------------------------------------------------------------------- */

static tz_status find(const tz_npz *npz, const char *name, uint64_t *ret_entry, tz_error *error) {
    size_t size = strlen(name), found = 0;
    for (uint64_t entry = 0; entry < npz->entries; entry++) {
        const char *other;
        if (array_name(npz, entry, &other) == size && memcmp(other, name, size) == 0) {
            *ret_entry = entry;
            found++;
        }
    }
    if (found > 1)
        return tz_npz_fail(npz, name, error, TZ_BAD_ARGUMENT,
                           "there are %zu of that name; keep one", found);
    return found == 1 ? TZ_OK : TZ_NONE;
}

/* Are the sizes in the directory possible? Deflate packs 1032 bytes into one at best. */
static tz_status check_member(const tz_npz *npz, const char *name, const zip_stat_t *about,
                              tz_error *error) {
    if ((about->valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && about->encryption_method != ZIP_EM_NONE)
        return tz_npz_fail(npz, name, error, TZ_BAD_ARGUMENT,
                           "it is encrypted; write it with numpy.savez");
    if ((about->valid & ZIP_STAT_COMP_METHOD) == 0 ||
        (about->comp_method != ZIP_CM_STORE && about->comp_method != ZIP_CM_DEFLATE))
        return tz_npz_fail(npz, name, error, TZ_BAD_ARGUMENT,
                           "it is compressed by method %u; numpy.savez stores and savez_compressed "
                           "deflates, which can be read",
                           (unsigned)about->comp_method);
    uint64_t size = about->size, packed = about->comp_size;
    bool stored = about->comp_method == ZIP_CM_STORE;
    if ((about->valid & ZIP_STAT_SIZE) == 0 || (about->valid & ZIP_STAT_COMP_SIZE) == 0 ||
        packed > npz->size || (stored ? packed != size : size / 1032 > packed))
        return tz_npz_fail(npz, name, error, TZ_BAD_ARGUMENT,
                           "it claims to have %" PRIu64 " bytes, which %" PRIu64
                           " in the file cannot hold; write or copy the file again",
                           size, packed);
    return TZ_OK;
}

/* At most so many bytes of the member; 0 at its end; less where it cannot be read. */
static zip_int64_t take(tz_npz_array *array, char *to, uint64_t size) {
    if (array->stored == NULL)
        return zip_fread(array->file, to, size);
    zip_int64_t read = 1;
    if (array->begun)
        read = zip_source_read(array->stored, to, size);
    else
        *to = array->first;
    array->begun = true;
    if (read > 0)
        array->checksum = libdeflate_crc32(array->checksum, to, (size_t)read);
    return read;
}

/* Bytes of the member; it must have them. */
static tz_status fetch(tz_npz_array *array, void *data, uint64_t size, tz_error *error) {
    enum { PIECE = 1 << 18 }; /* which stays in a near cache for the checksum */
    char *at = data;
    while (size > 0) {
        zip_int64_t read = take(array, at, size < PIECE ? size : PIECE);
        if (read < 0)
            return fail_zip(array, error);
        if (read == 0)
            return tz_npz_fail(array->npz, array->name, error, TZ_IO,
                               "it ends %" PRIu64 " bytes early; write or copy the file again",
                               size);
        at += read;
        size -= (uint64_t)read;
    }
    return TZ_OK;
}

static tz_status read_header(tz_npz_array *array, uint64_t bytes, tz_error *error) {
    unsigned char start[TZ_NPY_START] = {0};
    char text[TZ_NPY_LIMIT], *to = text;
    size_t at, size;
    tz_error why = {TZ_OK, ""};
    if (bytes < sizeof start)
        return tz_npz_fail(array->npz, array->name, error, TZ_BAD_ARGUMENT,
                           "this is not a NumPy array: it has %" PRIu64 " bytes", bytes);
    tz_status status = fetch(array, start, sizeof start, error);
    if (status != TZ_OK)
        return status;
    if ((status = tz_npy_start(start, &at, &size, &why)) != TZ_OK)
        return tz_npz_fail(array->npz, array->name, error, status, "%s", why.message);
    /* Version 1 has two bytes of the header there; one shorter than that is wrong anyway. */
    for (size_t taken = at; taken < sizeof start && to < text + size; taken++)
        *to++ = (char)start[taken];
    status = fetch(array, to, size - (size_t)(to - text), error);
    if (status != TZ_OK)
        return status;
    tz_npy *npy = &array->npy;
    if ((status = tz_npy_parse(text, size, npy, &why)) != TZ_OK)
        return tz_npz_fail(array->npz, array->name, error, status, "%s", why.message);
    array->rows = npy->rank > 0 ? npy->extent[0] : 1;
    array->cells = (size_t)(array->rows > 0 ? npy->count / array->rows : 0);
    if (npy->kind != 0 && array->cells > TZ_NPZ_ROW / npy->size)
        return tz_npz_fail(array->npz, array->name, error, TZ_TOO_LARGE,
                           "a row has %zu numbers; it may have %d bytes", array->cells, TZ_NPZ_ROW);
    if (npy->kind != 0 && bytes - at - size != npy->count * npy->size)
        return tz_npz_fail(array->npz, array->name, error, TZ_BAD_ARGUMENT,
                           "%" PRIu64 " bytes of numbers, but its shape takes %" PRIu64
                           "; write it with numpy.savez",
                           bytes - at - size, npy->count * npy->size);
    return TZ_OK;
}

/* A checksum is verified when the end is read. */
static tz_status finish(tz_npz_array *array, tz_error *error) {
    char more;
    zip_int64_t read = take(array, &more, 1);
    if (read > 0)
        return tz_npz_fail(array->npz, array->name, error, TZ_IO,
                           "more bytes than the archive says; write or copy the file again");
    if (read < 0)
        return fail_zip(array, error);
    return array->stored != NULL && array->checksum != array->expected ? fail_checksum(array, error)
                                                                       : TZ_OK;
}

/* Takes another way to the bytes of a member that has been opened. */
static tz_status open_stored(tz_npz_array *array, uint64_t entry, const zip_stat_t *about,
                             tz_error *error) {
    zip_t *zip = array->npz->zip;
    char first;
    tz_status status = fetch(array, &first, 1, error);
    if (status != TZ_OK)
        return status;
    zip_source_t *all_but_first =
        zip_source_zip(zip, zip, entry, 0, 1, (zip_int64_t)(about->size - 1));
    if (all_but_first == NULL)
        return tz_npz_fail(array->npz, array->name, error, TZ_IO, "cannot be read: %s",
                           zip_strerror(zip));
    array->stored = all_but_first;
    array->first = first;
    array->expected = about->crc;
    return zip_source_open(array->stored) == 0 ? TZ_OK : fail_zip(array, error);
}

tz_status tz_npz_array_open(tz_npz *npz, const char *name, tz_npz_array **ret_array,
                            tz_error *error) {
    zip_stat_t about;
    uint64_t entry = 0;
    *ret_array = NULL;
    zip_stat_init(&about);
    tz_status status = find(npz, name, &entry, error);
    if (status != TZ_OK)
        return status;
    if (zip_stat_index(npz->zip, entry, 0, &about) != 0)
        return tz_npz_fail(npz, name, error, TZ_IO, "cannot be read: %s", zip_strerror(npz->zip));
    if ((status = check_member(npz, name, &about, error)) != TZ_OK)
        return status;
    tz_npz_array *array = calloc(1, sizeof *array);
    if (array == NULL)
        return tz_npz_fail(npz, name, error, TZ_NO_MEMORY, "out of memory");
    array->npz = npz;
    array->name = name;
    array->file = zip_fopen_index(npz->zip, entry, 0);
    if (array->file == NULL)
        status = tz_npz_fail(npz, name, error, TZ_IO, "cannot be read: %s", zip_strerror(npz->zip));
    if (status == TZ_OK && about.comp_method == ZIP_CM_STORE && about.size > 1 &&
        (about.valid & ZIP_STAT_CRC) != 0)
        status = open_stored(array, entry, &about, error);
    if (status == TZ_OK)
        status = read_header(array, about.size, error);
    if (status == TZ_OK && array->npy.kind != 0 && array->npy.count == 0)
        status = finish(array, error);
    if (status == TZ_OK)
        *ret_array = array;
    else
        tz_npz_array_free(array);
    return status;
}

void tz_npz_array_free(tz_npz_array *array) {
    if (array == NULL)
        return;
    if (array->stored != NULL)
        zip_source_free(array->stored);
    if (array->file != NULL)
        zip_fclose(array->file);
    free(array->whole);
    free(array);
}

const tz_npy *tz_npz_array_header(const tz_npz_array *array) {
    return &array->npy;
}

size_t tz_npz_array_cells(const tz_npz_array *array) {
    return array->cells;
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static tz_status load_whole(tz_npz_array *array, tz_error *error) {
    uint64_t size = array->npy.count * array->npy.size;
    if (size > TZ_NPZ_WHOLE)
        return tz_npz_fail(array->npz, array->name, error, TZ_TOO_LARGE,
                           "%" PRIu64 " bytes in Fortran order, which cannot be read row by row; "
                           "save numpy.ascontiguousarray(...) of it",
                           size);
    array->whole = malloc((size_t)size);
    if (array->whole == NULL)
        return tz_npz_fail(array->npz, array->name, error, TZ_NO_MEMORY,
                           "out of memory: %" PRIu64 " bytes in Fortran order; save "
                           "numpy.ascontiguousarray(...) of it",
                           size);
    tz_status status = fetch(array, array->whole, size, error);
    return status == TZ_OK ? finish(array, error) : status;
}

/* Rows next .. next + rows - 1, in C order. */
static void gather(const tz_npz_array *array, size_t rows, char *to) {
    const tz_npy *npy = &array->npy;
    for (size_t row = 0; row < rows; row++) {
        uint64_t position[TZ_NPY_RANK] = {0};
        for (size_t cell = 0; cell < array->cells; cell++, to += npy->size) {
            uint64_t at = array->next + row, stride = array->rows;
            for (unsigned q = 1; q < npy->rank; stride *= npy->extent[q++])
                at += position[q] * stride;
            memcpy(to, array->whole + at * npy->size, npy->size);
            for (unsigned q = npy->rank - 1; q > 0 && ++position[q] == npy->extent[q]; q--)
                position[q] = 0;
        }
    }
}

tz_status tz_npz_array_read(tz_npz_array *array, size_t rows, void *data, tz_error *error) {
    size_t count = rows * array->cells;
    tz_status status = TZ_OK;
    if (count == 0)
        return TZ_OK;
    if (!array->npy.fortran) {
        status = fetch(array, data, (uint64_t)count * array->npy.size, error);
        if (status == TZ_OK && array->next + rows == array->rows)
            status = finish(array, error);
    } else {
        if (array->whole == NULL)
            status = load_whole(array, error);
        if (status == TZ_OK)
            gather(array, rows, data);
    }
    if (status != TZ_OK)
        return status;
    tz_npy_unswap(&array->npy, data, count);
    array->next += rows;
    return TZ_OK;
}
