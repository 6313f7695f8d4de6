import highsModule, { type LegacyHighs } from 'highs'
import { must } from '../../base/assert.ts'
import type { SmallInstance } from './instances.suite.ts'
import { PUBLISHED } from './published.suite.ts'

/** Requests that were accepted, and the memory slices they use. */
export interface Work {
  readonly slices: number
  readonly count: number
}

/** The most work that any choice could place that knows all requests beforehand: exact, by HiGHS. */
export async function optimum(instances: readonly SmallInstance[]): Promise<readonly Work[]> {
  const highs = await load()
  return instances.map((instance) => {
    const cuts = possibleCuts(instance)
    const solved = highs.solve(program(instance, cuts), { output_flag: false, mip_rel_gap: 0, mip_abs_gap: 0.5 })
    if (solved.Status !== 'Optimal') throw new Error(`HiGHS says ${solved.Status}`)
    const made = cuts.filter(({ variable }) => Math.round(valueIn(solved.Columns[variable])) === 1)
    return { slices: made.reduce((slices, { size }) => slices + size, 0) / unit(instance), count: made.length }
  })
}

// The types of the package are those of its CommonJS build; as a module, its default export is the loader itself.
const load = highsModule as unknown as () => Promise<LegacyHighs>

/** The driver's units in one memory slice. */
function unit({ model }: SmallInstance): number {
  return Math.min(...must(PUBLISHED.get(model), model).map(({ size }) => size))
}

/** A slice that could be cut: one yes or no. */
interface PossibleCut {
  readonly variable: string
  readonly card: number
  readonly request: number
  readonly start: number
  readonly size: number
}

function possibleCuts({ model, cards, requests }: SmallInstance): readonly PossibleCut[] {
  const profiles = must(PUBLISHED.get(model), model)
  return Array.from({ length: cards }, (_, card) =>
    profiles.flatMap(({ starts, size }, request) =>
      requests.includes(request)
        ? starts.map((start) => ({ variable: `c${card}p${request}s${start}`, card, request, start, size }))
        : [],
    ),
  ).flat()
}

/** Every unit of a card belongs to at most one slice, and no profile is cut more often than requested. */
function program({ model, cards, requests }: SmallInstance, cuts: readonly PossibleCut[]): string {
  const units = Math.max(...must(PUBLISHED.get(model), model).map(({ size }) => size))
  const lines: string[] = []
  for (let card = 0; card < cards; card++) {
    for (let unit = 0; unit < units; unit++) {
      const over = cuts.filter((cut) => cut.card === card && cut.start <= unit && unit < cut.start + cut.size)
      if (over.length > 1) lines.push(`${over.map(({ variable }) => variable).join(' + ')} <= 1`)
    }
  }
  for (const request of new Set(requests)) {
    const such = cuts.filter((cut) => cut.request === request)
    const asked = requests.filter((other) => other === request).length
    lines.push(`${such.map(({ variable }) => variable).join(' + ')} <= ${asked}`)
  }
  return [
    'Maximize',
    cuts.map(({ size, variable }) => `${size} ${variable}`).join(' + '),
    'Subject To',
    ...lines,
    'Binary',
    cuts.map(({ variable }) => variable).join(' '),
    'End',
  ].join('\n')
}

function valueIn(column: object | undefined): number {
  return column !== undefined && 'Primal' in column ? Number(column.Primal) : 0
}
