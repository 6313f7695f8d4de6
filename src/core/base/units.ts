/**
 * Parses amounts as people write them, and prints them. Amounts are bounded: none is negative, infinite or not a number.
 * A printed amount reads back as the same number.
 */
export type Amount =
  | { readonly kind: 'amount'; readonly value: number }
  | { readonly kind: 'wrong'; readonly why: 'form' | 'range'; readonly message: string; readonly hint: string }

const KIB = 1024
const BYTES_PER_GIB = KIB ** 3

/** Binary units first: between two texts of the same length the first unit wins. */
const BYTES: ReadonlyMap<string, number> = new Map([
  ['Ti', KIB ** 4],
  ['Gi', KIB ** 3],
  ['Mi', KIB ** 2],
  ['Ki', KIB],
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
  ['B', 1],
])

/** One pebibyte: more than any machine or volume for rent has. */
const BYTES_MAX = KIB ** 5
const CPU_MAX = 4096
const SECONDS_MAX = 366 * 24 * 3600
const USD_MAX = 1_000_000

const SECONDS: readonly (readonly [unit: string, seconds: number])[] = [
  ['d', 24 * 3600],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
]

/** `200Gi`, `512Mi`, `1.5Ti`, `80GB` in GiB, exact to the byte. */
export function parseMemoryGib(text: string): Amount {
  const match = /^(\d{1,16}(?:\.\d{1,6})?) ?([A-Za-z]*)$/.exec(text)
  if (match === null) return tooLarge(text) ?? wrongForm('Write a number and a unit, for example 80Gi.')
  const [, number = '', unit = ''] = match
  if (unit === '') return wrongForm(`Add a unit: ${number}Gi, or ${number}Mi.`)
  const size = BYTES.get(unit.replace(/iB$/, 'i'))
  if (size === undefined) return wrongForm(unitHint(number, unit))
  const bytes = Math.round(Number(number) * size)
  if (bytes < 1) return wrongRange('This must be more than 0.', 'For example 80Gi.')
  if (bytes > BYTES_MAX) return wrongRange('This is more than 1024Ti.', 'For example 80Gi.')
  return { kind: 'amount', value: bytes / BYTES_PER_GIB }
}

/** The same for the memory of cards, which vendors state in GB and users write in Gi: `80GB` and `80Gi` are both 80. */
export function parseVramGib(text: string): Amount {
  return parseMemoryGib(text.replace(/([KMGT])B$/, '$1i'))
}

/** The shortest text that reads back as the same amount: `80Gi`, `512Mi`, `80GB`. */
export function printMemory(gib: number): string {
  const bytes = Math.round(gib * BYTES_PER_GIB)
  let best = `${bytes}B`
  for (const [unit, size] of BYTES) {
    const number = decimals(bytes / size, 3)
    const text = `${number}${unit}`
    const isSame = Number(number) >= 1 && Math.round(Number(number) * size) === bytes
    if (isSame && text.length < best.length) best = text
  }
  return best
}

/** `16`, `0.5`, `500m` in cores. */
export function parseCpu(text: string): Amount {
  const match = /^(\d{1,7}(?:\.\d{1,3})?)(m?)$/.exec(text)
  if (match === null) return tooLarge(text) ?? wrongForm('Write cores, for example 16, 0.5 or 500m.')
  const [, number = '', unit = ''] = match
  const milli = Math.round(unit === 'm' ? Number(number) : Number(number) * 1000)
  if (milli < 1) return wrongRange('This must be more than 0.', 'For example 16.')
  if (milli > CPU_MAX * 1000) return wrongRange(`This is more than ${CPU_MAX} cores.`, 'For example 16.')
  return { kind: 'amount', value: milli / 1000 }
}

export function printCpu(cores: number): string {
  return decimals(cores, 3)
}

/** `90s`, `30m`, `1h30m`, `2d` in seconds. */
export function parseSeconds(text: string): Amount {
  const match = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/.exec(text)
  if (match === null || text === '') return tooLarge(text) ?? wrongForm(secondsHint(text))
  const seconds = SECONDS.reduce((sum, [, size], index) => sum + Number(match[index + 1] ?? 0) * size, 0)
  if (seconds < 1) return wrongRange('This must be more than 0.', 'For example 30m.')
  if (seconds > SECONDS_MAX) return wrongRange('This is more than 366 days.', 'For example 30m.')
  return { kind: 'amount', value: seconds }
}

/** `5400` is `1h30m`. */
export function printSeconds(seconds: number): string {
  let left = seconds
  let text = ''
  for (const [unit, size] of SECONDS) {
    const count = Math.floor(left / size)
    if (count > 0) text += `${count}${unit}`
    left -= count * size
  }
  return text === '' ? '0s' : text
}

/** `25%` as a share of one: 0.25. */
export function parseShare(text: string): Amount {
  const match = /^(\d{1,6}(?:\.\d{1,2})?) ?%$/.exec(text)
  if (match === null) return tooLarge(text) ?? wrongForm(shareHint(text))
  const percent = Number(match[1])
  if (percent > 100) return wrongRange('This is more than 100%.', 'For example 25%.')
  return { kind: 'amount', value: percent / 100 }
}

/** `12.50` or `$12.50` in dollars. */
export function parseUsd(text: string): Amount {
  const match = /^\$?(\d{1,12}(?:\.\d{1,6})?)$/.exec(text)
  if (match === null) return tooLarge(text) ?? wrongForm('Write dollars, for example 12.50.')
  const usd = Number(match[1])
  return usd > USD_MAX
    ? wrongRange('This is more than a million dollars.', 'For example 12.50.')
    : { kind: 'amount', value: usd }
}

/** A number with at most this many decimals and no trailing zeros. */
export function decimals(value: number, places: number): string {
  const text = value.toFixed(places)
  return text.replace(/\.?0+$/, '')
}

/** More digits or a larger exponent than any valid amount has, whatever its unit. */
function tooLarge(text: string): Amount | undefined {
  const number = /^\$?(\d+(?:\.\d*)?(?:e\+?\d+)?)[ A-Za-z%]*$/i.exec(text)?.[1]
  if (number === undefined || Number(number) < 1e12) return undefined
  return wrongRange('This is too large.', 'Check the number of digits and the unit.')
}

function wrongForm(hint: string): Amount {
  return { kind: 'wrong', why: 'form', message: 'This is not a valid amount.', hint }
}

function wrongRange(message: string, hint: string): Amount {
  return { kind: 'wrong', why: 'range', message, hint }
}

/** `80G` means one thing to Docker and another to Kubernetes, so the hint offers both. */
function unitHint(number: string, unit: string): string {
  const letter = /^[KMGTkmgt]/.exec(unit)?.[0].toUpperCase()
  if (letter === undefined) return `Write ${number}Gi, or ${number}GB.`
  return /^.i/i.test(unit) ? `Write ${number}${letter}i.` : `Write ${number}${letter}i, or ${number}${letter}B.`
}

function secondsHint(text: string): string {
  if (/^\d{1,9}$/.test(text)) return `Add a unit: ${text}s, ${text}m or ${text}h.`
  return 'Write days, hours, minutes and seconds, for example 30m, 1h30m or 2d.'
}

function shareHint(text: string): string {
  // Where a percentage is asked for, 0.95 is a share of one.
  if (/^0?\.\d{1,4}$/.test(text) && Number(text) > 0) return `Write ${decimals(Number(text) * 100, 2)}%.`
  return /^\d{1,6}(?:\.\d{1,2})?$/.test(text) ? `Write ${text}%.` : 'Write a percentage, for example 25%.'
}
