import { manifestFrom } from '../../src/cli/inputs.ts'
import { FRESH_STATUS } from '../../src/core/life/status.ts'
import type { Workload } from '../../src/core/life/workload.ts'
import type { Store, Write } from '../../src/ports/store.ts'

const AT_ONCE = 500
const TEAMS = ['ml', 'web', 'vision', 'speech', 'data']

/** Writes so many workloads, with labels and a status each. One in twenty has failed. */
export async function fill(store: Store, count: number): Promise<number> {
  for (let first = 0; first < count; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, at) => first + at)
    await store.commit({ writes: numbers.flatMap(rowsOf) })
  }
  return count
}

function rowsOf(number: number): readonly Write[] {
  const name = `w${number}`
  const project = `p${Math.floor(number / 7) % 10}`
  const text = `berth: v1\nkind: job\nname: ${name}\nimage: registry.example/train:1\nlabels: { team: ${TEAMS[number % 5]} }
resources: { cpu: 4, memory: 32Gi, gpu: { count: 1, min_vram: 80Gi } }\n`
  const workload: Workload = {
    uid: `uid-${number}`,
    project,
    name,
    generation: 1,
    text,
    manifest: manifestFrom({ text, file: `${name}.yaml` }),
    want: 'running',
    scale: {},
    template: undefined,
    pinned: undefined,
    usdPerHourMax: undefined,
    createdMs: 1_763_000_000_000 + number,
    changedMs: 1_763_000_000_000 + number,
  }
  const end =
    number % 20 === 0 ? ({ state: 'failed', why: 'exit code 1', atMs: 1_763_000_000_000 } as const) : undefined
  const key = `${project}/${name}`
  return [
    { kind: 'workload', key, body: workload },
    { kind: 'status', key, body: { ...FRESH_STATUS, uid: workload.uid, generation: 1, end } },
  ]
}
