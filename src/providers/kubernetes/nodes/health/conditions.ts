/** What the conditions of a node say against it: `bad`, or `unsure` where a check did not come to an end. */
export interface HealthComplaints {
  readonly bad: readonly string[]
  readonly unsure: readonly string[]
}

/** Conditions of the kubelet, and of the monitors that clouds and operators install; Ready is left to the caller. */
export function complaintsIn(conditions: ReadonlyMap<string, string>): HealthComplaints {
  const told = [...conditions].filter(([type]) => type !== 'Ready')
  const of = (verdict: Verdict): readonly string[] =>
    told.filter(([type, status]) => verdictOn(type, status) === verdict).map(([type, status]) => sentence(type, status))
  return { bad: of('bad'), unsure: of('unsure') }
}

function sentence(type: string, status: string): string {
  return `Condition ${type} is ${status}.`
}

type Verdict = 'bad' | 'unsure' | 'fine'

/** A condition that comes twice is as bad as the worse of the two. */
function verdictOn(type: string, status: string): Verdict {
  const meaning = meaningOf(type)
  const verdicts = status.split(' and ').map((each) => verdictOf(meaning, each))
  return verdicts.find((each) => each === 'bad') ?? verdicts.find((each) => each === 'unsure') ?? 'fine'
}

function verdictOf(meaning: Meaning, status: string): Verdict {
  if (meaning === 'nothing') return 'fine'
  if (status !== 'True' && status !== 'False') return 'unsure'
  if (meaning === 'unclear') return 'unsure'
  if (meaning === 'noticed') return status === 'True' ? 'unsure' : 'fine'
  if (meaning === 'elsewhere') return status === 'False' ? 'unsure' : 'fine'
  return (meaning === 'trouble') === (status === 'True') ? 'bad' : 'fine'
}

/** What it means that a condition is true. */
type Meaning =
  | 'trouble'
  | 'well'
  /** Something is well that the node may do without. */
  | 'elsewhere'
  /** Something about the cards that nobody knows. */
  | 'noticed'
  /** Some set it when all is well, and some when it is not. */
  | 'unclear'
  | 'nothing'

function meaningOf(type: string): Meaning {
  const name = type.slice(type.lastIndexOf('/') + 1)
  if (SOON_GONE.test(name) || name === 'OutOfDisk') return 'trouble'
  const words = wordsOf(name)
  const isTrouble = words.some((word) => TROUBLE.has(word))
  const isWell = words.some((word) => WELL.has(word))
  if (isTrouble) return words[0] === 'no' ? 'well' : 'trouble'
  if (isWell && (words.includes('not') || words.includes('non'))) return 'trouble'
  if (isWell) return HOST.test(name) || isOfCards(name) ? 'well' : 'elsewhere'
  if (words.at(-1) === 'health') return /neuron/i.test(name) ? 'trouble' : 'unclear'
  if (!isOfCards(name) || words.some((word) => ABILITIES.has(word))) return 'nothing'
  // Monitors name a condition after what they watch, and set it when they see something.
  return WATCHES.has(words.at(-1) ?? '') ? 'trouble' : 'noticed'
}

/** `GPUMissing` is `gpu` and `missing`. */
function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase())
}

const SOON_GONE = /^(Terminate|Preempt|Redeploy|Reboot|Maintenance|VMEvent)Scheduled$/

const TROUBLE: ReadonlySet<string> = new Set(
  `pressure unavailable unhealthy unready unreachable inactive problem problems error errors fault faults faulty fail
  failed failing failure failures fatal critical corrupt corrupted corruption deadlock readonly degraded missing lost fallen
  hang hung stuck dead broken down flapping mismatch throttling throttled overheating xid sxid drain drained draining maintenance triage
  quarantined terminating shutdown`.split(/\s+/),
)

const WELL: ReadonlySet<string> = new Set(
  `healthy ready available present ok passed operational online working running functional good normal reachable installed
  attached initialized registered configured connected loaded`.split(/\s+/),
)

const WATCHES: ReadonlySet<string> = new Set('watch check monitor alert warning'.split(' '))

/** What cards can do or are told to do. */
const ABILITIES: ReadonlySet<string> = new Set('enabled supported capable active detected'.split(' '))

const CARDS = /GPU|Accelerat|Xid|NV(Link|Switch|ML|idia)|IBLink|Infiniband|Neuron|DCGM|Gaudi|Habana|Ascend/i
const UNITS = /(^|[a-z])[NT]PU/

/** Parts that no work can do without. */
const HOST = /Node|Kernel|Storage|Network|Container|Kubelet|Hardware|Machine|Host|Driver|Fabric|System/i

function isOfCards(name: string): boolean {
  return CARDS.test(name) || UNITS.test(name)
}
