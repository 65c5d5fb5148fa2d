/** Maximum size of an import, in bytes for a file and in UTF-16 code units for pasted text. About 50,000 links fit. */
export const MAX_FILE_SIZE = 32 * 1024 * 1024;

/** Maximum number of entries in one import, to limit memory use. */
export const MAX_ENTRIES = 50_000;
