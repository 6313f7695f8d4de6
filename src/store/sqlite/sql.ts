/** The columns of a row that its readers need. */
export const COLUMNS = 'kind, key, version, seq, body'

/** The seq of the last write, and the lease. */
export const META = 'SELECT seq, term, holder, expires_ms, ttl_ms FROM meta'

/** For each connection that writes. Without FULL, a power failure could lose a commit that was already answered. */
export const WRITER_PRAGMAS =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864'

/** For a connection that only reads. Pages are read from the mapped file: another connection writes, which empties the cache of this one. */
export const READER_PRAGMAS = `PRAGMA mmap_size = ${256 * 1024 * 1024}`
