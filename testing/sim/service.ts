import type { FastifyInstance } from 'fastify'
import type { WorkloadView } from '../../src/core/life/view/view.ts'
import type { Workload } from '../../src/core/life/workload.ts'
import { UserError } from '../../src/core/base/problem.ts'
import type { AgreedPrice, Berth } from '../../src/ports/berth.ts'
import type { Dice } from '../../src/core/base/dice.ts'
import type { Commit } from '../../src/ports/store.ts'
import type { Loop } from '../../src/controller/loop.suite.ts'
import { clientOf, type Caller } from './api.ts'
import type { Plane } from './plane.ts'
import type { UserAction } from './users/action.ts'
import { CHORES, type Chore } from './users/operator.ts'
import { TOLERANCE, type Wish } from './users/wishes.ts'

/** What a user does to a workload. */
export type Deed = Exclude<UserAction, { kind: 'provider' | 'config' | 'chore' }>

/** What the use cases need of the world. */
export interface ServiceParts {
  readonly loop: Loop
  readonly dice: Dice
  readonly planes: readonly Plane[]
  /** The server of a control plane; undefined: there is none to answer. */
  readonly server: (plane: Plane) => FastifyInstance | undefined
  readonly broke: (invariant: string, detail: string) => void
}

/** A client gives up waiting after so long, and asks again with the same key. */
const PATIENCE_MS = 20_000
const AGAIN_MS = 3000
const LEAVING_MS = 10_000
const TRIES_MAX = 2000

/**
 * People and their requests. They come in through the API: the shipped client, and the shipped server of a control plane.
 * Answers get lost, planes die, and who has heard nothing asks again, with the same key. What was granted must be there, and
 * once.
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

  /** Requests without an answer so far. */
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

  /** One chore after the other; a chore that is refused has been done before, without an answer. */
  chore(chore: Chore): void {
    const line = 'operator'
    const last = this.#lines.get(line) ?? Promise.resolve()
    this.#lines.set(
      line,
      last.then(() => this.#doChore(chore)),
    )
  }

  async #doChore(chore: Chore): Promise<void> {
    const key = `key-${++this.#keys}`
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const heard = await this.#heard((app): Promise<unknown> => CHORES[chore](clientOf(app, OPERATOR, key)))
      const silent = heard === 'silence' || ('error' in heard && codeOf(heard.error) === 'silence')
      if (!silent) return this.#parts.loop.note(`did ${chore}`)
      await this.#sleep(AGAIN_MS)
    }
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
        // While the last workload of that name is being removed, the user tries again later with another request.
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

  /** One try at one of the control planes; `silence`: there was no answer, or it was lost. */
  async #try(deed: Deed, name: string, key: string): Promise<string> {
    const project = this.#projects.get(name) ?? 'default'
    const caller = callerOf(deed, project)
    const heard = await this.#heard((app) => carriedOut(clientOf(app, caller, key), { deed, project, key }))
    if (heard === 'silence') return 'silence'
    if ('error' in heard) return codeOf(heard.error)
    const { broke } = this.#parts
    if (deed.kind === 'meddle') broke('roles', `${caller.name} (${caller.role}) was let to ${deed.deed} ${name}`)
    this.#checkLanded(`${project}/${key}`, heard.answer)
    return 'granted'
  }

  /** What one of the control planes answers; `silence`: there was no answer, or it was lost. */
  async #heard<T>(
    ask: (app: FastifyInstance) => Promise<T>,
  ): Promise<'silence' | { readonly answer: T } | { readonly error: unknown }> {
    const { planes, dice, server, loop } = this.#parts
    const plane = planes[dice.roll(planes.length)]
    const app = plane === undefined ? undefined : server(plane)
    if (app === undefined) return 'silence'
    const release = loop.hold()
    const late = loop.sleep(PATIENCE_MS).then((): 'silence' => 'silence')
    const asked = ask(app).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
    const heard = await Promise.race([asked, late])
    release()
    return dice.oneIn(12) ? 'silence' : heard
  }

  /** What a user was told has happened is in the store, exactly as told. */
  #checkLanded(key: string, { name, generation }: WorkloadView): void {
    const { broke } = this.#parts
    if (!this.#landed.has(key)) return broke('accepted', `${name}: request ${key} was granted and is nowhere`)
    const made = this.#landed.get(key)
    if (made !== undefined && made !== generation) {
      broke('accepted', `${name}: request ${key} made generation ${made} and was told ${generation}`)
    }
  }
}

interface Request {
  readonly deed: Deed
  readonly project: string
  readonly key: string
}

async function carriedOut(berth: Berth, { deed, project, key }: Request): Promise<WorkloadView> {
  if (deed.kind === 'apply') {
    const request = {
      project,
      text: JSON.stringify(deed.wish),
      file: 'wish',
      idempotencyKey: key,
      create_project: true,
      agreed: agreedBy(deed.wish),
    }
    return (await berth.apply(request)).workload
  }
  const at = { project, name: deed.name }
  switch (deed.kind === 'meddle' ? deed.deed : deed.kind) {
    case 'scale':
    case 'race':
      return berth.scale({ ...at, role: roleIn(deed), replicas: replicasIn(deed) })
    case 'stop':
      return berth.stop(at)
    case 'remove':
      return berth.remove(at)
    case 'restart':
      return berth.restart(at)
  }
}

/** The price that its user confirms: the same for each machine. */
function agreedBy({ agreedUsd, nodes, replicas, roles }: Wish): AgreedPrice | undefined {
  if (agreedUsd === undefined) return undefined
  const price = agreedUsd * nodes
  return {
    tolerance: TOLERANCE,
    roles: (roles ?? [{ replicas }]).map((part) => {
      const role = 'name' in part ? { role: part.name } : {}
      return { ...role, replicas: part.replicas, usd_per_hour: price * part.replicas, replica_usd_per_hour: price }
    }),
  }
}

/** Why a request was refused; a server that failed or was not reached is as good as silent. */
function codeOf(error: unknown): string {
  const code = error instanceof UserError ? (error.problems[0]?.code ?? '') : 'silence'
  return code === 'CONTROL_PLANE_UNREACHABLE' ? 'silence' : code
}

/** Everybody who asks for something, in each of these projects. */
export function callersOf(projects: readonly string[]): readonly Caller[] {
  const users = projects.flatMap((project): readonly Caller[] => [
    { name: `owner-${project}`, role: 'writer', project },
    { name: `reader-${project}`, role: 'reader', project },
    { name: `admin-${project}`, role: 'admin', project },
  ])
  return [...users, OPERATOR]
}

const OPERATOR: Caller = { name: 'operator', role: 'admin', project: '*' }

/** The owner, or a user without permission: one that may only read, or belongs to another project. */
function callerOf(deed: Deed, project: string): Caller {
  if (deed.kind !== 'meddle') return { name: `owner-${project}`, role: 'writer', project }
  if (deed.by === 'reader') return { name: `reader-${project}`, role: 'reader', project }
  const other = project === 'team' ? 'lab' : 'team'
  return { name: `admin-${other}`, role: 'admin', project: other }
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
