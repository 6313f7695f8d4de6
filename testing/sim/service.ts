import { mustBeAllowed } from '../../src/service/access.ts'
import type { ServiceDeps, Principal } from '../../src/service/deps.ts'
import { applyManifest, removeWorkload, scaleWorkload, stopWorkload } from '../../src/service/workload/workloads.ts'
import type { WorkloadView } from '../../src/core/life/view/view.ts'
import type { Workload } from '../../src/core/life/workload.ts'
import { UserError } from '../../src/core/base/problem.ts'
import type { Dice } from '../../src/core/base/dice.ts'
import type { Commit } from '../../src/ports/store.ts'
import type { Loop } from '../../src/controller/loop.suite.ts'
import type { Plane } from './plane.ts'
import type { UserAction } from './users/action.ts'
import type { Wish } from './users/wishes.ts'

/** What somebody does to a workload. */
export type Deed = Exclude<UserAction, { kind: 'provider' | 'config' }>

/** What the use cases need of the world. */
export interface ServiceParts {
  readonly loop: Loop
  readonly dice: Dice
  readonly planes: readonly Plane[]
  /** What requests to a control plane may touch. */
  readonly deps: (plane: Plane) => ServiceDeps | undefined
  readonly broke: (invariant: string, detail: string) => void
}

/** A client gives up waiting after so long, and asks again with the same key. */
const PATIENCE_MS = 20_000
const AGAIN_MS = 3000
const LEAVING_MS = 10_000
const TRIES_MAX = 2000

/**
 * People and their requests, answered by the real use cases inside the control planes: answers get lost, planes die, and
 * whoever has heard nothing asks again, with the same key. What was granted must be there, and once.
 */
export class Service {
  readonly #parts: ServiceParts
  /** Of each workload, what was asked for and is not answered yet: its owner does one thing after the other. */
  readonly #lines = new Map<string, Promise<void>>()
  readonly #projects = new Map<string, string>()
  /** By key of a request: the generation that it made; undefined: it changed nothing. */
  readonly #landed = new Map<string, number | undefined>()
  readonly #generations = new Map<string, string>()
  #keys = 0
  #waiting = 0

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  /** Requests that nobody has answered yet. */
  get waiting(): number {
    return this.#waiting
  }

  act(deed: Deed): void {
    const name = deed.kind === 'apply' ? deed.wish.name : deed.name
    if (deed.kind === 'apply') this.#projects.set(name, deed.wish.project)
    const line = deed.kind === 'meddle' || deed.kind === 'race' ? `${name} ${deed.at}` : name
    this.#waiting++
    const last = this.#lines.get(line) ?? Promise.resolve()
    const next = last.then(() => this.#ask(deed, name)).then(() => void this.#waiting--)
    this.#lines.set(line, next)
  }

  /** Sees what requests have written. */
  wrote({ writes }: Commit): void {
    let generation: number | undefined
    let key: string | undefined
    for (const write of writes) {
      if (write.kind === 'request') key = write.key
      if (write.kind === 'workload' && write.body !== undefined) {
        generation = write.body.generation
        const once = `${write.body.uid} ${generation}`
        if (this.#generations.has(once)) this.#parts.broke('accepted', `generation ${once} was written twice`)
        this.#generations.set(once, write.key)
      }
    }
    if (key === undefined) return
    if (this.#landed.has(key)) this.#parts.broke('accepted', `request ${key} was carried out twice`)
    this.#landed.set(key, generation)
  }

  async #ask(deed: Deed, name: string): Promise<void> {
    const { loop } = this.#parts
    let key = `key-${++this.#keys}`
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const heard = await this.#try(deed, name, key)
      if (heard === 'silence') await this.#sleep(AGAIN_MS)
      else if (heard === 'WORKLOAD_LEAVING') {
        // Whoever comes while the last one of that name is being taken down comes again later, with another request.
        await this.#sleep(LEAVING_MS)
        key = `key-${++this.#keys}`
      } else {
        loop.note(`answered ${name} ${heard}`)
        return
      }
    }
  }

  #sleep(ms: number): Promise<void> {
    return this.#parts.loop.sleep(ms)
  }

  /** One try at one of the control planes; `silence`: nobody answered, or the answer was lost. */
  async #try(deed: Deed, name: string, key: string): Promise<string> {
    const { planes, dice, deps: depsOf, loop, broke } = this.#parts
    const plane = planes[dice.roll(planes.length)]
    const deps = plane === undefined ? undefined : depsOf(plane)
    if (deps === undefined) return 'silence'
    const project = this.#projects.get(name) ?? 'default'
    const actor = actorOf(deed, project)
    const late = loop.sleep(PATIENCE_MS).then((): 'late' => 'late')
    const asked = this.#carryOut(deed, { deps, actor, project, key }).then(
      (view) => ({ view }),
      (error: unknown) => ({ error }),
    )
    const heard = await Promise.race([asked, late])
    if (heard === 'late' || dice.oneIn(12)) return 'silence'
    if ('error' in heard) return heard.error instanceof UserError ? (heard.error.problems[0]?.code ?? '') : 'silence'
    if (deed.kind === 'meddle') broke('roles', `${actor.name} (${actor.role}) was let to ${deed.deed} ${name}`)
    this.#checkLanded(`${project}/${key}`, heard.view)
    return 'granted'
  }

  /** What somebody was told has happened stands in the store, as it was told. */
  #checkLanded(key: string, { name, generation }: WorkloadView): void {
    const { broke } = this.#parts
    if (!this.#landed.has(key)) return broke('accepted', `${name}: request ${key} was granted and is nowhere`)
    const made = this.#landed.get(key)
    if (made !== undefined && made !== generation) {
      broke('accepted', `${name}: request ${key} made generation ${made} and was told ${generation}`)
    }
  }

  async #carryOut(deed: Deed, request: Request): Promise<WorkloadView> {
    const { deps, actor, project, key } = request
    mustBeAllowed(actor, 'workload.change', project)
    const terms = { once: { project, key, fingerprint: JSON.stringify(deed) }, ifTag: undefined }
    if (deed.kind === 'apply') {
      const text = JSON.stringify(deed.wish)
      return (await applyManifest(deps, actor, { project, text, file: 'wish', pinned: undefined, ...terms })).workload
    }
    const at = { project, name: deed.name }
    switch (deed.kind === 'meddle' ? deed.deed : deed.kind) {
      case 'scale':
      case 'race':
        return scaleWorkload(deps, actor, { at, role: roleIn(deed), replicas: replicasIn(deed), ...terms })
      case 'stop':
        return stopWorkload(deps, actor, { at, ...terms })
      case 'remove':
        return removeWorkload(deps, actor, { at, ...terms })
    }
  }
}

interface Request {
  readonly deps: ServiceDeps
  readonly actor: Principal
  readonly project: string
  readonly key: string
}

/** The owner, or somebody who has no business with it: who may only read, or who belongs to another project. */
function actorOf(deed: Deed, project: string): Principal {
  if (deed.kind !== 'meddle') return { name: 'owner', role: 'writer', projects: [project] }
  if (deed.by === 'reader') return { name: 'reader', role: 'reader', projects: [project] }
  return { name: 'neighbour', role: 'admin', projects: [project === 'team' ? 'lab' : 'team'] }
}

function roleIn(deed: Deed): string | undefined {
  return 'role' in deed ? deed.role : undefined
}

function replicasIn(deed: Deed): number {
  return 'replicas' in deed ? deed.replicas : 0
}

/** The wish that a workload was made from; undefined: it was not made from one. */
export function wishOf({ text }: Pick<Workload, 'text'>): Wish | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined
  // It was written by the use case above.
  return JSON.parse(text) as Wish
}
