/** The only access to files. Reading may block. Paths are as the user wrote them, relative to where Berth was started. */
export interface Files {
  /**
   * Undefined: there is no such file, or it cannot be read. `-` is standard input. Files ending in `.gz` are returned
   * unpacked; a damaged one, or one that is not really compressed, is returned as it is.
   */
  readonly read: (path: string) => Uint8Array | undefined
  /** When a file was last written, or the newest file in a folder; undefined or left out: nobody knows. */
  readonly changedMs?: (path: string) => number | undefined
  /** Names in a folder, sorted; undefined: it is not a folder. */
  readonly list: (path: string) => readonly string[] | undefined
  /** Creates or replaces a file, atomically. False: it could not be written. */
  readonly write: (path: string, bytes: Uint8Array) => boolean
}
