import type { Secret } from '../ports/secret.ts'

/** Removes known secret values from texts before they are written. */
export interface Scrubber {
  /** Hides this value from now on, in all the usual encodings. */
  readonly learn: (secret: Secret) => void
  readonly scrub: (text: string) => string
}

/** Shorter values occur everywhere by chance: hiding them would make a log unreadable and reveal them. */
const LENGTH_MIN = 4

/** The shortest line of a longer value, such as a PEM key, that is also hidden by itself. */
const LINE_MIN = 12

/** The shortest part of a Base64 text to look for: shorter ones would match ordinary words. */
const SHIFTED_MIN = 8

const STARS = '***'

/** Finds every occurrence of every value in one pass over the text, however many values it knows. */
export function scrubber(): Scrubber {
  /** Forms by their first characters, longest first. */
  const forms = new Map<string, string[]>()
  /** To make the forms of a value takes much longer than to look it up, and the same ones pass by again and again. */
  const values = new Set<string>()
  return {
    learn(secret) {
      const value = secret.reveal()
      if (values.has(value)) return
      values.add(value)
      for (const form of formsOf(value)) {
        const start = form.slice(0, LENGTH_MIN)
        const known = forms.get(start) ?? []
        if (known.includes(form)) continue
        forms.set(
          start,
          [...known, form].toSorted((one, two) => two.length - one.length),
        )
      }
    },
    scrub(text) {
      return forms.size === 0 ? text : scrubbed(text, forms)
    },
  }
}

function scrubbed(text: string, forms: ReadonlyMap<string, readonly string[]>): string {
  let out = ''
  let kept = 0
  /** End of the range that is being hidden: values may overlap, and each is hidden completely. */
  let hiddenUntil = -1
  for (let at = 0; at + LENGTH_MIN <= text.length; at++) {
    const found = forms.get(text.slice(at, at + LENGTH_MIN))?.find((form) => text.startsWith(form, at))
    if (found === undefined) continue
    if (at >= hiddenUntil) out += text.slice(kept, at) + STARS
    hiddenUntil = Math.max(hiddenUntil, at + found.length)
    kept = hiddenUntil
  }
  return out + text.slice(kept)
}

function formsOf(value: string): ReadonlySet<string> {
  const lines = value.includes('\n') ? value.split(/\r?\n/).filter((line) => line.length >= LINE_MIN) : []
  const values = [value, value.trim(), ...lines]
  return new Set(values.flatMap(writtenForms).filter((form) => form.length >= LENGTH_MIN))
}

/** The value itself, and as it appears in JSON, in a URL or a form, in hexadecimal and in Base64. */
function writtenForms(value: string): readonly string[] {
  if (value.length < LENGTH_MIN) return []
  const inAddress = encodeURIComponent(value.toWellFormed())
  const bytes = Buffer.from(value, 'utf8')
  const hex = bytes.toString('hex')
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    inAddress,
    inAddress.replace(/%[0-9A-F]{2}/g, (sign) => sign.toLowerCase()),
    inAddress.replaceAll('%20', '+'),
    new URLSearchParams([['', value]]).toString().slice(1),
    hex,
    hex.toUpperCase(),
    ...base64Forms(bytes),
  ]
}

/** The value may be part of a longer text (`user:password`), so it may begin at any of the three bytes of a Base64 group. */
function base64Forms(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64').replaceAll('=', '')
  const shifted = [0, 1, 2]
    .map((shift) => {
      const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
      // Characters that contain bits of the text before or after the value are not known.
      return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
    })
    .filter((text) => text.length >= SHIFTED_MIN)
  return [whole, ...shifted].flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}
