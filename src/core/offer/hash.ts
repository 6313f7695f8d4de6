/** A running 64-bit fingerprint of numbers and texts, to distinguish snapshots. Not for secrets. */
export interface Fingerprint {
  readonly words: (words: Uint32Array) => void
  readonly text: (text: string) => void
  /** Sixteen hexadecimal digits. */
  readonly digest: () => string
}

export function fingerprint(): Fingerprint {
  let one = 0x811c9dc5
  let two = 0x9e3779b9
  const mix = (word: number): void => {
    one = Math.imul(one ^ word, 0x01000193)
    two = Math.imul((two ^ word) + ((two << 13) | (two >>> 19)), 0x85ebca6b)
  }
  return {
    words(words) {
      // The state is kept in locals: this runs over megabytes each time a snapshot is opened.
      let [a, b] = [one, two]
      for (let index = 0; index < words.length; index++) {
        const word = words[index] ?? 0
        a = Math.imul(a ^ word, 0x01000193)
        b = Math.imul((b ^ word) + ((b << 13) | (b >>> 19)), 0x85ebca6b)
      }
      one = a
      two = b
    },
    text(text) {
      for (let index = 0; index < text.length; index++) mix(text.charCodeAt(index))
      mix(text.length)
    },
    digest: () => hex(one ^ (two >>> 15)) + hex(two ^ (one >>> 13)),
  }
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
