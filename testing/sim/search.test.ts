import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { sized } from '../../src/core/base/laws.suite.ts'
import { EVENTS } from '../../src/core/event/kinds.ts'
import { parseArguments } from './arguments.ts'
import { drawScenario } from './scenario.ts'
import { simulate } from './simulate.ts'

const RUN = join(import.meta.dirname, 'run.ts')
const SEEDS = sized({ quick: 60, whole: 300 })
/** Within so many seeds, every kind of event is told. */
const TOLD_WITHIN = 300
const CALM = sized({ quick: 1, whole: 6 })
const TRACED = sized({ quick: [150], whole: [11, 150] })

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function run(...flags: readonly string[]): Promise<Ended> {
  const node = ['--no-warnings', RUN, ...flags]
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, node, { maxBuffer: 1 << 28 })) }
  } catch (error) {
    // A process that ends with another code than 0 rejects with its output.
    return error as Ended
  }
}

/** Kinds that take a storm of their own, so that a few seeds may lack them. */
const RARE: readonly string[] = SEEDS < TOLD_WITHIN ? ['set-aside', 'slow', 'stalled'] : []

/** Kinds of events that were not told soon enough; each has to be emitted somewhere. */
function untold(told: Readonly<Record<string, number>>): readonly string[] {
  return Object.keys(EVENTS).filter((kind) => (told[kind] ?? Infinity) > TOLD_WITHIN && !RARE.includes(kind))
}

describe('npm run sim', () => {
  test(`${SEEDS} random schedules break nothing and tell every kind of event`, { timeout: 900_000 }, async () => {
    const { code, stdout } = await run('--seeds', `1-${SEEDS}`, '-o', 'json')
    const report = JSON.parse(stdout)
    expect(report.violations).toEqual([])
    expect(report).toMatchObject({ seeds: SEEDS, violations: [] })
    expect(untold(report.told)).toEqual([])
    expect(report.simulated_hours).toBeGreaterThan(SEEDS / 2)
    expect(report.events).toBeGreaterThan(300 * SEEDS)
    expect(report.cpu_seconds).toBeGreaterThan(0)
    expect(code).toBe(0)
  })

  test('the same seed gives the same trace', async () => {
    for (const seed of TRACED) {
      const [one, two] = [await simulate(drawScenario(seed)), await simulate(drawScenario(seed))]
      expect(one).toEqual(two)
    }
  })

  test('when all is over, everything stands as if nothing had ever gone wrong', async () => {
    for (let seed = 501; seed <= 500 + CALM; seed++) {
      const scenario = drawScenario(seed)
      const [stormy, calm] = [await simulate(scenario), await simulate({ ...scenario, faults: [] })]
      expect({ seed, ends: stormy.ends }).toEqual({ seed, ends: calm.ends })
    }
  })

  test('a broken rule is found, and the line that repeats it is printed', async () => {
    const { code, stdout } = await run('--seeds', '1-8', '--mutant', 'no-limits', '--first')
    expect(code).toBe(1)
    expect(stdout).toMatch(/again: npm run sim -- --seed \d+ --mutant no-limits/)
  })

  test.each([
    [['--seeds', '5-1'], 'ends before it begins'],
    [['--seeds', 'many'], 'is not a range of seeds'],
    [[], 'Say which seeds to run'],
    [['--seed', '1', '--mutant', 'nobody'], 'there is no mutant nobody'],
    [['--sed', '1'], 'There is no option --sed'],
    [['--seed'], 'needs a value'],
    [['--seed', '1', '-o', 'xml'], 'neither text nor json'],
  ])('%j is refused with a message', (flags, message) => {
    expect(parseArguments(flags)).toEqual({ problem: expect.stringContaining(message) })
  })

  test.each([
    [['--sed', '1'], 'There is no option --sed'],
    [['--seed', '1', '--plan', '/nowhere.json'], 'cannot be read'],
  ])('%j ends with exit code 64', async (flags, message) => {
    const { code, stderr } = await run(...flags)
    expect(stderr).toContain(message)
    expect(code).toBe(64)
  })
})
