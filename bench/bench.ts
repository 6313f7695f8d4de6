/** One benchmark: a word on the command line, a line of help, figures as data. */
export interface Bench {
  readonly name: string
  readonly about: string
  /** Arguments after the word. Answers figures; `floor` says what CI must not fall under. */
  readonly run: (argv: readonly string[]) => Promise<Figures>
}

export type Figures = Readonly<Record<string, unknown>>

/** What bin/berth gives to the Node of a control plane. */
export const PLANE_FLAGS: readonly string[] = [
  '--max-semi-space-size=32',
  '--heap-growing-percent=60',
  '--v8-pool-size=1',
]

/** The value below which a share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((one, two) => one - two)
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))
  return sorted[index] ?? Number.NaN
}

/** Two digits behind the point are as much as a clock can tell. */
export function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** The value of `--name`, or what to use without it. */
export function flag(argv: readonly string[], name: string, otherwise: string): string {
  const at = argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : (argv[at + 1] ?? otherwise)
}
