import type { Answer, Call } from '../../../ports/provider.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { KubeClient } from '../api/client.ts'
import { listAt, textAt } from '../nodes/object/json.ts'

/** What is installed in a cluster changes seldom, and a launch must not wait for it each time. */
const FRESH_MS = 60_000

/** Which kinds a cluster serves, and in which version. The cluster is asked: no version is known beforehand. */
export class Discovery {
  readonly #client: KubeClient
  readonly #clock: Clock
  readonly #known = new Map<string, { readonly atMs: number; readonly value: unknown }>()

  /** Each launch asks several times. */
  #groups: { readonly from: unknown; readonly groups: ReadonlyMap<string, readonly string[]> } | undefined

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client
    this.#clock = clock
  }

  /** The version in which a resource is served, the preferred one of its group first; undefined: in none. */
  async version(group: string, resource: string, call: Call): Promise<Answer<string | undefined>> {
    const groups = await this.groups(call)
    if (!groups.ok) return groups
    for (const version of groups.value.get(group) ?? []) {
      const list = await this.#read(`/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`, call)
      if (!list.ok) return list
      if (listAt(list.value, 'resources').some((each) => textAt(each, 'name') === resource))
        return { ok: true, value: version }
    }
    return { ok: true, value: undefined }
  }

  /** Versions by group, the preferred one first. */
  async groups(call: Call): Promise<Answer<ReadonlyMap<string, readonly string[]>>> {
    const reply = await this.#read('/apis', call)
    if (!reply.ok) return reply
    const { value } = reply
    const known = this.#groups
    const now = known !== undefined && known.from === value ? known : { from: value, groups: groupsIn(value) }
    this.#groups = now
    return { ok: true, value: now.groups }
  }

  async #read(path: string, call: Call): Promise<Answer<unknown>> {
    const nowMs = this.#clock.nowMs()
    const known = this.#known.get(path)
    if (known !== undefined && Math.abs(nowMs - known.atMs) < FRESH_MS) return { ok: true, value: known.value }
    const reply = await this.#client.call({ method: 'GET', path }, call)
    if (!reply.ok) return { ok: false, fault: reply.fault }
    this.#known.set(path, { atMs: nowMs, value: reply.value })
    return { ok: true, value: reply.value }
  }
}

function groupsIn(value: unknown): ReadonlyMap<string, readonly string[]> {
  const groups = listAt(value, 'groups').map((group): [string, readonly string[]] => {
    const first = textAt(group, 'preferredVersion', 'version')
    const all = listAt(group, 'versions').flatMap((each) => textAt(each, 'version') ?? [])
    return [textAt(group, 'name') ?? '', [...new Set(first === undefined ? all : [first, ...all])]]
  })
  return new Map(groups)
}
