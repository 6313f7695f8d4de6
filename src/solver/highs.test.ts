import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Dice } from '../core/base/dice.ts'
import { nextTurn } from '../ports/turn.ts'
import { highsSolver } from './highs.ts'
import { patience } from '../core/base/cpu.suite.ts'
import { sized } from '../core/base/laws.suite.ts'
import { sourceSolver } from './highs.suite.ts'

const SOLVER = sourceSolver()
/** Of a processor: the solver counts time on the wall. */
const LIMIT_MS = sized({ quick: 300, whole: 1000 }) * patience()
const GAP = { relative: 0, absolute: 0.99 }
afterAll(() => SOLVER.close())

const EASY = text('3 a + 2 b', ['a + b <= 4', '2 a + b <= 5'], ['a', 'b'])

/** Far more than can be proven in the time of a test. */
const HARD = (() => {
  const dice = new Dice(1)
  const names = Array.from({ length: 120 }, (_, index) => `v${index}`)
  const weighted = (low: number) => names.map((name) => `${low + dice.roll(100)} ${name}`).join(' + ')
  const rows = Array.from({ length: 15 }, () => `${weighted(1)} <= 2500`)
  return text(weighted(50), rows, names)
})()

function text(sum: string, rows: readonly string[], names: readonly string[]): string {
  const bounds = names.map((name) => `0 <= ${name} <= 3`)
  return ['Maximize', ` sum: ${sum}`, 'Subject To', ...rows, 'Bounds', ...bounds, 'General', ...names, 'End', ''].join(
    '\n',
  )
}

describe('a program', () => {
  test('is solved and the answer proven', async () => {
    const solved = await SOLVER.solve(EASY, { limitMs: 20_000, gap: GAP })
    expect(solved).toMatchObject({ kind: 'solved', objective: 9, bound: 9, isProven: true })
    expect(solved.kind === 'solved' && [...solved.values]).toEqual([
      ['a', 1],
      ['b', 3],
    ])
  })

  test('that cannot be read is an error, and the next one is solved all the same', async () => {
    await expect(SOLVER.solve('Maximize < nothing', { limitMs: 20_000, gap: GAP })).rejects.toThrow()
    expect(await SOLVER.solve(EASY, { limitMs: 20_000, gap: GAP })).toMatchObject({ objective: 9 })
  })

  test('is solved beside another', async () => {
    const both = await Promise.all([1, 2].map(() => SOLVER.solve(EASY, { limitMs: 20_000, gap: GAP })))
    expect(both).toMatchObject([{ objective: 9 }, { objective: 9 }])
  })
})

describe('when the time is over', () => {
  test('the best answer so far comes with a bound', async () => {
    const solved = await SOLVER.solve(HARD, { limitMs: LIMIT_MS, gap: GAP })
    expect(solved).toMatchObject({ kind: 'solved', isProven: false })
    if (solved.kind === 'solved') expect(solved.bound).toBeGreaterThan(solved.objective)
  })

  test('before anything was found, that is said', async () => {
    const solved = await sourceSolver().solve(HARD, { limitMs: 0, gap: GAP })
    expect(solved).toEqual({ kind: 'out-of-time' })
  })

  test('an answer to begin with is kept or made better, and may be given in part', async () => {
    const first = await SOLVER.solve(HARD, { limitMs: LIMIT_MS, gap: GAP })
    if (first.kind !== 'solved') throw new Error('it was found before')
    const part = new Map([...first.values].slice(0, 60))
    for (const start of [first.values, part]) {
      const again = await SOLVER.solve(HARD, { limitMs: LIMIT_MS, gap: GAP, start })
      expect(again.kind === 'solved' && again.objective).toBeGreaterThanOrEqual(first.objective - 1e-6)
    }
  })
})

describe('who aborts', () => {
  test('gets an answer at once, and the thread is gone', async () => {
    const solver = sourceSolver()
    await solver.solve(EASY, { limitMs: 20_000, gap: GAP })
    const controller = new AbortController()
    const solving = solver.solve(HARD, { limitMs: 600_000, gap: GAP, signal: controller.signal })
    controller.abort()
    // In the same turn: nothing of the thread is waited for.
    expect(await Promise.race([solving, nextTurn()])).toEqual({ kind: 'aborted' })
    expect(await solver.solve(EASY, { limitMs: 20_000, gap: GAP })).toMatchObject({ objective: 9 })
    await solver.close()
  })

  test('before it began starts nothing', async () => {
    const nowhere = highsSolver('/nowhere')
    const signal = AbortSignal.abort()
    expect(await nowhere.solve(EASY, { limitMs: 1000, gap: GAP, signal })).toEqual({ kind: 'aborted' })
  })

  test('by closing the solver ends what is being solved', async () => {
    const solver = sourceSolver()
    const solving = solver.solve(HARD, { limitMs: 600_000, gap: GAP })
    await solver.close()
    expect(await solving).toEqual({ kind: 'aborted' })
  })
})

test('a solver that is not there is an error', async () => {
  await expect(highsSolver('/nowhere').solve(EASY, { limitMs: 20_000, gap: GAP })).rejects.toThrow('/nowhere')
})

test('a process with a solver ends by itself when it has nothing else to do', () => {
  const script = `
    import { sourceSolver } from ${JSON.stringify(join(import.meta.dirname, 'highs.suite.ts'))}
    const solver = sourceSolver()
    const solved = await solver.solve(${JSON.stringify(EASY)}, { limitMs: 20000, gap: { relative: 0, absolute: 0 } })
    console.log(solved.objective)`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect({ status, stdout }).toEqual({ status: 0, stdout: '9\n' })
})
