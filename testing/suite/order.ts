import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ROOT = new URL('../..', import.meta.url).pathname

/** Files that wait or compute for longest, in this order. Begun last, one of them would run alone, on an idle machine. */
export const LONG: readonly string[] = [
  'testing/up/kill.test.ts',
  'testing/sim/search.test.ts',
  'testing/up/live.test.ts',
  'testing/house/guides.test.ts',
  'testing/gateway/away.test.ts',
  'testing/up/logs.test.ts',
  'testing/gateway/churn.test.ts',
  'testing/up/connection.test.ts',
  'src/store/postgres/postgres.test.ts',
  'src/store/postgres/server.test.ts',
  'src/store/sqlite/file.test.ts',
  'testing/up/clock.test.ts',
  'src/gateway/gateway.test.ts',
  'src/gateway/slow.test.ts',
  'testing/clouds/contract.test.ts',
  'testing/up/provider-key.test.ts',
  'src/cli/main.test.ts',
  'testing/up/hostile.test.ts',
  'testing/up/unconfigured.test.ts',
]

/** The long ones first, the others in the order that they came in. */
export function longFirst(files: readonly string[]): readonly string[] {
  const rank = (file: string) => (LONG.includes(file) ? LONG.indexOf(file) : LONG.length)
  return files.toSorted((one, two) => rank(one) - rank(two))
}

/** In which order files are begun. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const byName = Map.groupBy(sorted, ({ moduleId }) => relative(ROOT, moduleId))
    return longFirst([...byName.keys()]).flatMap((name) => byName.get(name) ?? [])
  }
}
