/** What commands use of the machine that they run on, besides files and output. */
export interface Here {
  /** The keyboard of the person; undefined: there is none, or the output is not a terminal. */
  readonly keyboard: (() => Keyboard) | undefined
  /** Listens on this machine alone, until the signal. A text says why that is not possible. */
  readonly listen: (
    port: number,
    connected: (connection: LocalConnection) => void,
    signal: AbortSignal,
  ) => Promise<{ readonly port: number } | string>
  /** Everything below a folder, folders before what is in them. Undefined: there is no such folder. */
  readonly walk: (folder: string) => Iterable<FolderEntry> | undefined
}

/** A terminal in the hands of a program: what is typed is neither shown nor understood before. */
export interface Keyboard {
  readonly keys: AsyncIterable<Uint8Array>
  readonly size: () => { readonly rows: number; readonly columns: number }
  readonly onResize: (changed: () => void) => void
  readonly show: (bytes: Uint8Array) => void
  /** Gives the terminal back. */
  readonly close: () => void
}

/** A program of this machine that has connected. */
export interface LocalConnection {
  readonly input: AsyncIterable<Uint8Array>
  readonly write: (bytes: Uint8Array) => Promise<void>
  readonly end: () => void
  readonly close: () => void
}

/** A file, a folder, a link or something else in a folder. */
export interface FolderEntry {
  /** Below the folder, with `/`. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly bytes: number
  /** Its permissions. */
  readonly mode: number
  readonly changedMs: number
  /** Where a link leads, as it says; empty: it is none. */
  readonly target: string
  /** The contents of a file. Throws if it cannot be read. */
  readonly read: () => AsyncIterable<Uint8Array>
}
