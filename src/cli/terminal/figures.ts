const GLUE = '\u00a0'

const UNIT =
  /(\d) (?=(?:[KMGT]i?B|GiB?|CPUs?|GPUs?|ms|s|min|h|d|%|MHz|Gbps|GB\/s|TB\/s|of \d|cards?|nodes?|offers?|replicas?|more)(?![\w]))/g

/** Keeps figures with their units on one line: `80 GB`, `4 × H100`, `2 of 3`. */
export function glued(text: string): string {
  return text
    .replaceAll(UNIT, `$1${GLUE}`)
    .replaceAll(/ × /g, `${GLUE}×${GLUE}`)
    .replaceAll(new RegExp(`(\\d${GLUE}of) (?=\\d)`, 'g'), `$1${GLUE}`)
    .replaceAll(/\$(\d[\d.,]*) /g, '$$$1 ')
}

export function unglued(text: string): string {
  return text.replaceAll(GLUE, ' ')
}
