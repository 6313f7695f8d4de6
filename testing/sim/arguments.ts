import { MUTANTS } from './mutants/mutants.ts'

export const USAGE = `usage: npm run sim -- --seeds A-B | --seed N [--clouds] [--plan FILE] [--mutant NAME] [--threads N] [--trace] [-o text|json]
       npm run sim -- --list-mutants`

/** What a run of the simulation was asked to do. */
export interface RunArguments {
  readonly from: number
  readonly until: number
  /** Everything is rented: the real adapters of all clouds, on their pretended other sides. */
  readonly clouds: boolean
  readonly plan: string | undefined
  readonly mutant: string | undefined
  readonly trace: boolean
  readonly output: 'text' | 'json'
  readonly list: boolean
  /** A mutant that was caught needs no further seeds. */
  readonly stopEarly: boolean
  readonly threads: number
}

type Change = Partial<RunArguments> | { readonly problem: string }

/** Reads the command line; everything that is wrong gets a message. */
export function parseArguments(argv: readonly string[]): RunArguments | { readonly problem: string } {
  let read: RunArguments = {
    from: 1,
    until: 0,
    clouds: false,
    plan: undefined,
    mutant: undefined,
    trace: false,
    output: 'text',
    list: false,
    stopEarly: false,
    threads: 2,
  }
  for (let at = 0; at < argv.length; at++) {
    const [flag = '', inline] = (argv[at] ?? '').split('=', 2)
    const reader = FLAGS[flag]
    if (reader === undefined) return { problem: `There is no option ${flag}.` }
    const value = reader.takes ? (inline ?? argv[++at]) : undefined
    if (reader.takes && value === undefined) return { problem: `${flag} needs a value.` }
    const change = reader.read(value ?? '')
    if ('problem' in change) return { problem: `${flag}: ${change.problem}` }
    read = { ...read, ...change }
  }
  if (!read.list && read.until < read.from) return { problem: 'Say which seeds to run: --seeds 1-100 or --seed 7.' }
  return read
}

interface Flag {
  readonly takes: boolean
  readonly read: (value: string) => Change
}

const FLAGS: Readonly<Record<string, Flag>> = {
  '--seeds': { takes: true, read: seedsOf },
  '--seed': { takes: true, read: (value) => seedsOf(`${value}-${value}`) },
  '--clouds': { takes: false, read: () => ({ clouds: true }) },
  '--plan': { takes: true, read: (plan) => ({ plan }) },
  '--mutant': { takes: true, read: mutantOf },
  '--trace': { takes: false, read: () => ({ trace: true }) },
  '--threads': { takes: true, read: threadsOf },
  '--first': { takes: false, read: () => ({ stopEarly: true }) },
  '--list-mutants': { takes: false, read: () => ({ list: true }) },
  '-o': { takes: true, read: outputOf },
  '--output': { takes: true, read: outputOf },
}

function seedsOf(value: string): Change {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(value)
  if (match === null) return { problem: `${value} is not a range of seeds; write 1-100, or --seed 7 for one.` }
  const [from, until] = [Number(match[1]), Number(match[2])]
  return from <= until ? { from, until } : { problem: `${value} ends before it begins.` }
}

function threadsOf(value: string): Change {
  return /^[1-9]\d?$/.test(value) ? { threads: Number(value) } : { problem: `${value} is not a number from 1 to 99.` }
}

function mutantOf(mutant: string): Change {
  if (MUTANTS.some(({ name }) => name === mutant)) return { mutant }
  return { problem: `there is no mutant ${mutant}; --list-mutants shows them.` }
}

function outputOf(value: string): Change {
  return value === 'json' || value === 'text' ? { output: value } : { problem: `${value} is neither text nor json.` }
}
