import loader, { type Highs, type Model } from 'highs'
import { parentPort } from 'node:worker_threads'
import { must } from '../core/base/assert.ts'
import type { Solved } from '../ports/solver.ts'
import type { Assignment, Report } from './messages.ts'

// The thread that HiGHS runs in. It solves one program at a time and reports every better answer as it is found, so
// that no answer is lost if the thread is terminated from outside.

// The types of the package are those of its CommonJS build; as a module, its default export is the loader itself.
const load = loader as unknown as () => Promise<Highs>

const port = must(parentPort, 'this file is the start of a thread')
const highs = await load()

port.on('message', (assignment: Assignment) => {
  const solved = highs.withModel({ format: 'lp', data: assignment.program }, (model) => solve(model, assignment))
  tell({ solved, isLast: true })
})

function solve(model: Model, { askedMs, limitMs, gap, start }: Assignment): Solved {
  const tookMs = (): number => Date.now() - askedMs
  const names = Array.from({ length: model.getDimensions().numCols }, (_, column) => model.getColName(column))
  model.options.set({
    output_flag: false,
    time_limit: Math.max(0, limitMs - tookMs()) / 1000,
    mip_rel_gap: gap.relative,
    mip_abs_gap: gap.absolute,
  })
  if (start !== undefined) model.setSolution(sparse(names, start))
  model.run({
    [highs.constants.callbackType.mipImprovingSolution]({ data }) {
      const { mip_solution: found, objective_function_value: objective, mip_dual_bound: bound } = data
      if (found === undefined || objective === undefined || bound === undefined) return undefined
      const answer = { values: byName(names, found), objective, bound, isProven: false, tookMs: tookMs() }
      tell({ solved: { kind: 'solved', ...answer }, isLast: false })
      return undefined
    },
  })
  return outcome(model, names, tookMs())
}

function sparse(names: readonly string[], start: ReadonlyMap<string, number>) {
  const known = [...names.entries()].filter(([, name]) => start.has(name))
  return { indices: known.map(([column]) => column), values: known.map(([, name]) => start.get(name) ?? 0) }
}

function outcome(model: Model, names: readonly string[], tookMs: number): Solved {
  const { modelStatus } = highs.constants
  const status = model.getModelStatus()
  const isProven = status === modelStatus.optimal
  if (!isProven && status !== modelStatus.timeLimit) throw new Error(`HiGHS ended with status ${status}`)
  if (Number(model.info.get('primal_solution_status')) !== FEASIBLE) return { kind: 'out-of-time' }
  return {
    kind: 'solved',
    values: byName(names, model.getSolution().colValue),
    objective: model.getObjectiveValue(),
    bound: Number(model.info.get('mip_dual_bound')),
    isProven,
    tookMs,
  }
}

const FEASIBLE = 2

function byName(names: readonly string[], values: Float64Array): ReadonlyMap<string, number> {
  return new Map(names.map((name, column) => [name, values[column] ?? 0]))
}

function tell(report: Report): void {
  port.postMessage(report)
}
