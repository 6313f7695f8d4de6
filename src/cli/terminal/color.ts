type Env = (name: string) => string | undefined

/**
 * Whether to colour a stream. NO_COLOR wins over everything; FORCE_COLOR and CLICOLOR_FORCE turn colour on even in a
 * pipe. Otherwise a terminal gets colour, unless it is dumb, CLICOLOR=0 is set or CI is set.
 */
export function isColorWanted(env: Env, isTerminal: boolean): boolean {
  if (isSet(env('NO_COLOR'))) return false
  if (isOn(env('FORCE_COLOR')) || isOn(env('CLICOLOR_FORCE'))) return true
  if (env('FORCE_COLOR') === '0' || env('CLICOLOR') === '0') return false
  return isTerminal && env('TERM') !== 'dumb' && !isOn(env('CI'))
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}

function isOn(value: string | undefined): boolean {
  return isSet(value) && value !== '0' && value !== 'false'
}

/** The meaning of a word, which its colour repeats. */
export type Tone = 'good' | 'bad' | 'unsure' | 'head' | 'quiet'

const CODES: Readonly<Record<Tone, string>> = { good: '32', bad: '31', unsure: '33', head: '1', quiet: '2' }

/** A text in the colour of its tone. */
export function tinted(text: string, tone: Tone): string {
  const said = text.trimEnd()
  return said === '' ? text : `\u001b[${CODES[tone]}m${said}\u001b[0m${text.slice(said.length)}`
}

const WORDS: Readonly<Record<string, Tone>> = {
  ...tones('good', ['serving', 'running', 'done', 'up', 'yes', 'ok', 'ready', 'have a place', 'has a place', 'is up']),
  ...tones('bad', ['failed', 'FAILED', 'no', 'lost', 'set aside', 'degraded', 'unconfigured', 'no place', 'gone']),
  ...tones('unsure', [
    'waiting',
    'queued',
    'starting',
    'stopping',
    'stopped',
    'draining',
    'cordoned',
    'removing',
    'unknown',
  ]),
}

function tones(tone: Tone, words: readonly string[]): Readonly<Record<string, Tone>> {
  return Object.fromEntries(words.map((word) => [word, tone]))
}

const KNOWN = Object.keys(WORDS)
  .toSorted((one, two) => two.length - one.length)
  .join('|')

const FIRST = new RegExp(`^(\\s*)(${KNOWN})(?![\\w-])`)
const SAID = new RegExp(`(: |, |\\d |\\w )(${KNOWN})(?=[,.:]|$)`, 'g')

/** A state, coloured by its first word. */
export function tintedState(text: string): string {
  return text.replace(FIRST, (_, space: string, word: string) => space + tinted(word, WORDS[word] ?? 'head'))
}

/** The first line of a page, with every state word coloured. */
export function tintedHeadline(text: string): string {
  return text.replaceAll(SAID, (_, before: string, word: string) => before + tinted(word, WORDS[word] ?? 'head'))
}
