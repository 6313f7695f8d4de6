import { manifestFrom } from '../../src/cli/inputs.ts'
import { identityOf } from '../../src/core/life/identity.ts'
import type { Placement } from '../../src/core/life/placement.ts'
import { FRESH_STATUS } from '../../src/core/life/status.ts'
import type { Workload } from '../../src/core/life/workload.ts'
import type { Store, Write } from '../../src/ports/store.ts'

const AT_ONCE = 500
const TEAMS = ['ml', 'web', 'vision', 'speech', 'data']

/** Writes so many workloads, with labels, a status and a placement each. One in twenty has failed, and has no placement. */
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
  const there = end === undefined ? [{ kind: 'placement', key: `${key}/0`, body: placed(workload) } as const] : []
  return [
    ...there,
    { kind: 'workload', key, body: workload },
    { kind: 'status', key, body: { ...FRESH_STATUS, uid: workload.uid, generation: 1, end } },
  ]
}

/** One slot that runs; one in four at another provider. */
function placed(workload: Workload): Placement {
  const { manifest, project, name, uid, createdMs } = workload
  const provider = createdMs % 4 === 0 ? 'other' : 'own'
  const tag = { owner: 'bench', project, workload: name, uid, slot: '0', epoch: 1, attempt: `a-${uid}` }
  const place = { offer: 'hall-8', provider, region: 'hall', zone: '', instance: 'h100-8', node: undefined }
  const { image, command, args, env, ports, storage, secrets, nodes } = manifest
  return {
    order: {
      tag,
      place: { ...place, market: 'on-demand' },
      image,
      command,
      args,
      env,
      ports,
      storage,
      secrets,
      nodes,
      cpu: 4,
      memoryGib: 32,
      diskGib: undefined,
      gpus: 1,
      usdPerHourMax: 4,
      maxDurationSeconds: undefined,
      resumeFromMs: undefined,
    },
    shape: identityOf(manifest, undefined),
    generation: 1,
    phase: 'running',
    sinceMs: createdMs,
    reservedMs: createdMs,
    instance: `i-${uid}`,
    reserved: { gpus: 1, usdPerHour: 3 },
    calledMs: createdMs,
    replayed: false,
    absentMs: undefined,
    upMs: createdMs,
    healthy: undefined,
    ports: {},
    checkpointMs: undefined,
    why: undefined,
    exit: undefined,
    tries: 0,
    nextTryMs: 0,
    because: 'the best that fits',
  }
}
