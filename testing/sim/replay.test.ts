import { describe, expect, test } from 'vitest'
import { Controller } from '../../src/controller/controller.ts'
import { replayed } from '../../src/controller/step/replay.ts'
import { sized } from '../../src/core/base/laws.suite.ts'
import { drawScenario } from './scenario.ts'
import { simulate } from './simulate.ts'

const SEEDS = sized({ quick: 1, whole: 15 })

/** Every process of a world records what its leaders learn and decide. */
async function recorded(seed: number): Promise<readonly (readonly string[])[]> {
  const processes: string[][] = []
  await simulate(drawScenario(seed), {
    make: (deps) => {
      const lines: string[] = []
      processes.push(lines)
      return new Controller({ ...deps, record: (line) => lines.push(line) })
    },
  })
  return processes
}

describe('what leaders recorded in a hostile world', () => {
  test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'seed %i: follows again from the same events, and holds no secret',
    async (seed) => {
      const processes = await recorded(seed)
      const steps = processes.flatMap((lines) => [...replayed(lines)])
      expect(steps.filter(({ kind }) => kind === 'unreadable')).toEqual([])
      const wrong = steps.filter((each) => each.kind === 'step' && !each.isSame)
      expect(wrong.slice(0, 1)).toEqual([])
      const commits = steps.flatMap((each) => (each.kind === 'step' ? each.did.commits : []))
      expect(commits).not.toEqual([])
      expect(processes.flat().filter((line) => line.includes('canary-'))).toEqual([])
    },
  )
})
