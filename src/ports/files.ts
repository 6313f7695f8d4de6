/** The only way to files. Reading may block; paths are as the user wrote them, relative to where Berth was started. */
export interface Files {
  /**
   * Undefined: there is no such file, or it cannot be read. `-` is standard input. What a path ending in `.gz` holds is
   * given unpacked; a file that only has the name, or is damaged, as it is.
   */
  readonly read: (path: string) => Uint8Array | undefined
  /** Names inside a folder, sorted; undefined: it is not a folder. */
  readonly list: (path: string) => readonly string[] | undefined
  /** Creates or replaces, whole or not at all. False: it could not be written. */
  readonly write: (path: string, bytes: Uint8Array) => boolean
}
