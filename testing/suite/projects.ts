import { availableParallelism } from 'node:os'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { sized } from '../../src/core/base/laws.suite.ts'

/**
 * Which tests belong together. `core` is pure, so its files share threads and whatever they have loaded. `live` starts
 * programs and servers and mostly waits for them. `sim` is the simulated world. `edge` is everything else. A file belongs to
 * exactly one of them, by where it lies. Tests on real clusters are none of these: `npm run test:engines` runs them.
 */
const CORE = [
  'src/{core,codes,api,ports,lab,formats,catalogues,dialects}/**/*.test.ts',
  'testing/{fuzz,suite}/**/*.test.ts',
]
const SIM = ['testing/sim/**/*.test.ts']
const LIVE = [
  'testing/{gateway,package,storage,up}/**/*.test.ts',
  'testing/clouds/contract.test.ts',
  'testing/house/guides.test.ts',
  'testing/suite/{budget-reporter,beside}.test.ts',
  'src/{entry,gateway}/**/*.test.ts',
  'src/providers/local/**/*.test.ts',
  'src/store/{postgres,sqlite}/**/*.test.ts',
]
const ENGINES = ['testing/**/*.engines.test.ts']
export const EVERYTHING = ['src/**/*.test.ts', 'testing/**/*.test.ts', 'bench/**/*.test.ts']

/** Programs that are waited for leave the processors to others; containers of the whole run do so less. */
const AT_A_TIME = {
  computing: availableParallelism(),
  waiting: Math.ceil(sized({ quick: 2, whole: 1.5 }) * availableParallelism()),
}

/** Tests that wait for something may see a machine that is too busy. What passes only at its second try is named at the end of a run. */
const again = { retry: 1 } as const

const shared = { pool: 'threads', isolate: false, maxWorkers: AT_A_TIME.computing } as const

export const PROJECTS: TestProjectInlineConfiguration[] = [
  {
    extends: true,
    test: { name: 'core', include: CORE, exclude: [...SIM, ...LIVE], ...shared },
  },
  {
    extends: true,
    test: { name: 'edge', include: EVERYTHING, exclude: [...CORE, ...SIM, ...LIVE, ...ENGINES], ...shared, ...again },
  },
  {
    extends: true,
    test: { name: 'sim', include: SIM, exclude: ENGINES, ...shared },
  },
  {
    extends: true,
    test: {
      name: 'live',
      include: LIVE,
      pool: 'forks',
      isolate: false,
      maxWorkers: AT_A_TIME.waiting,
      // Only what hangs may run into them, on the busiest machine.
      testTimeout: 600_000,
      hookTimeout: 300_000,
      ...again,
      sequence: { groupOrder: 1 },
      globalSetup: ['testing/suite/build.ts'],
    },
  },
]

/** Tests on a real control plane, one file at a time: each brings up what it needs, in the network that `npm run test:engines` opens. */
export const ENGINES_PROJECT: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'engines', include: ENGINES, pool: 'forks', maxWorkers: 1, globalSetup: ['testing/suite/build.ts'] },
}
