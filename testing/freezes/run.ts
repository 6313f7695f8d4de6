import { join } from 'node:path'
import type { Postgres } from '../../src/store/postgres/postgres.suite.ts'
import { staleIn, Writers } from './writers.ts'
import { check } from '../kills/check.ts'
import { Load, type LoadCounts } from '../kills/load.ts'
import { RealPlane, sleep, until } from '../plane/plane.ts'
import { writeConfig, type Clouds } from '../kills/run.ts'

export interface FreezeSetup {
  readonly folder: string
  readonly postgres: Postgres
  /** How many times the current leader is frozen, one after the other, and for how long each. */
  readonly freezeMs: readonly number[]
  /** How many times the current leader is killed after the freezes. */
  readonly kills: number
  readonly clouds?: Clouds
  readonly progress?: (line: string) => void
}

export interface FreezeReport {
  /** From the stop, or the kill, until the other one says that it leads and its term is in the lease. */
  readonly takeoverMs: { readonly freeze: readonly number[]; readonly kill: readonly number[] }
  /** Freezes that caught the leader in the middle of a write, which it went on with when it woke. */
  readonly midWrite: number
  /** Rows that control planes wrote, and those written by one that did not lead. */
  readonly writes: number
  readonly stale: readonly string[]
  /** How terms ended, in the words of the control planes. */
  readonly ends: Readonly<Record<string, number>>
  readonly lastTerm: number
  /** Control planes that say they lead, at the end. */
  readonly leading: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly leaked: readonly string[]
  readonly load: LoadCounts
}

const FREEZES_MAX = 200
const USERS = ['plane_a', 'plane_b'] as const

/** Two real control planes on one PostgreSQL: the one that leads is frozen and woken, or killed, while clients work. */
export async function runFreezes(setup: FreezeSetup): Promise<FreezeReport> {
  const run = new FreezeRun(setup)
  try {
    return await run.all()
  } finally {
    await run.end()
  }
}

interface Member {
  readonly user: string
  readonly plane: RealPlane
}

class FreezeRun {
  readonly #setup: FreezeSetup
  readonly #data: string
  readonly #members: readonly Member[]
  readonly #writers: Writers
  readonly #load: Load
  readonly #took: Record<'freeze' | 'kill', number[]> = { freeze: [], kill: [] }
  #midWrite = 0
  /** Whom the clients talk to. */
  #addressed: readonly Member[] = []

  constructor(setup: FreezeSetup) {
    this.#setup = setup
    this.#data = join(setup.folder, 'data')
    const settleSeconds = 2 + Math.ceil(Math.max(0, ...setup.freezeMs) / 1000)
    const config = writeConfig(setup.folder, setup.clouds ?? 'both', settleSeconds)
    this.#writers = new Writers(setup.postgres.url)
    this.#members = USERS.map((user) => {
      const database = setup.postgres.url.replace('berth@', `${user}@`)
      return { user, plane: new RealPlane({ folder: this.#data, config, database, name: user }) }
    })
    const client = () => {
      const member = this.#addressed[Math.floor(Math.random() * this.#addressed.length)] ?? this.#member(0)
      // A request to a frozen control plane ends when it wakes: until then its outcome is unknown.
      return member.plane.client({ tries: 'several', timeoutMs: 120_000 })
    }
    this.#load = new Load({ client, workloads: 16, workers: 6, project: 'default', restMs: 20 })
  }

  async all(): Promise<FreezeReport> {
    await this.#writers.open(USERS)
    await this.#member(0).plane.start()
    await this.#leader()
    await this.#writers.watch()
    await this.#member(1).plane.start()
    this.#addressed = this.#members
    this.#load.begin()
    for (const forMs of this.#setup.freezeMs) await this.#freeze(forMs)
    for (let made = 0; made < this.#setup.kills; made++) await this.#kill()
    await this.#load.end()
    return this.#report()
  }

  async end(): Promise<void> {
    await Promise.all(this.#members.map(({ plane }) => plane.kill()))
    await this.#load.end()
    await this.#writers.close()
  }

  async #freeze(forMs: number): Promise<void> {
    const { leader, other } = await this.#busyLeader()
    const frozenMs = await this.#freezeInAWrite(leader)
    this.#addressed = [other]
    this.#took.freeze.push(await this.#takeover(other, frozenMs))
    await sleep(Math.max(0, frozenMs + forMs - Date.now()))
    leader.plane.wake()
    this.#addressed = this.#members
    // It is awake when it answers, and has then seen that another one leads.
    await until('the woken one follows', { withinMs: 20_000 }, async () => {
      const { leader: leads, term } = await this.#info(leader)
      return leads ? `it leads term ${term}` : { found: true }
    })
    this.#setup.progress?.(`frozen for ${forMs} ms, taken over after ${this.#took.freeze.at(-1)} ms`)
  }

  /** A leader that sleeps between two writes would know when it wakes, and try nothing: one is caught in the middle. */
  async #freezeInAWrite({ plane, user }: Member): Promise<number> {
    for (let tries = 0; tries < FREEZES_MAX; tries++) {
      const frozenMs = Date.now()
      plane.freeze()
      // What the database was doing for it is done by then.
      await sleep(5)
      if (await this.#writers.isWriting(user)) {
        this.#midWrite++
        return frozenMs
      }
      plane.wake()
      await sleep(1 + Math.random() * 10)
    }
    plane.freeze()
    return Date.now()
  }

  async #kill(): Promise<void> {
    const { leader, other } = await this.#busyLeader()
    this.#addressed = [other]
    const killedMs = Date.now()
    await leader.plane.kill()
    this.#took.kill.push(await this.#takeover(other, killedMs))
    await leader.plane.start()
    this.#addressed = this.#members
    this.#setup.progress?.(`killed, taken over after ${this.#took.kill.at(-1)} ms`)
  }

  /** The one that leads, in the middle of work: it has just written something. */
  async #busyLeader(): Promise<{ readonly leader: Member; readonly other: Member }> {
    const leader = await this.#leader()
    const other = this.#members.find((member) => member !== leader) ?? leader
    const before = (await this.#writers.byLeaders()).length
    await until('the leader is at work', { withinMs: 30_000, everyMs: 10 }, async () =>
      (await this.#writers.byLeaders()).length >= before + 5 ? { found: true } : 'it writes nothing',
    )
    return { leader, other }
  }

  async #takeover(other: Member, sinceMs: number): Promise<number> {
    return until('the other one leads', { withinMs: 30_000, everyMs: 20 }, async () => {
      const { leader, term } = await this.#info(other)
      const lease = await this.#writers.lease()
      return leader && lease.term === term ? { found: Date.now() - sinceMs } : `it follows in term ${term}`
    })
  }

  async #leader(): Promise<Member> {
    return until('there is a leader', { withinMs: 30_000 }, async () => {
      for (const member of this.#members) {
        if (!member.plane.isAlive) continue
        const { leader, term } = await this.#info(member)
        if (leader && (await this.#writers.lease()).term === term) return { found: member }
      }
      return 'there is none'
    })
  }

  /** Who led which term, as they say themselves: the store gives a term to one only. */
  #leaders(): ReadonlyMap<number, string> {
    return new Map(
      this.#members.flatMap(({ user, plane }) =>
        plane.lines().flatMap(({ message, term }) => (message === 'leading' ? [[Number(term), user] as const] : [])),
      ),
    )
  }

  #info({ plane }: Member) {
    return plane.client({ tries: 'several', timeoutMs: 5000 }).info()
  }

  #member(at: 0 | 1): Member {
    const member = this.#members[at]
    if (member === undefined) throw new Error('there are two')
    return member
  }

  async #report(): Promise<FreezeReport> {
    const leader = await this.#leader()
    const berth = leader.plane.client({ tries: 'several', timeoutMs: 30_000 })
    const { registers, wrong, counts } = this.#load
    const { lost, doubled, leaked } = await check({ folder: this.#data, berth, registers, calmWithinMs: 90_000 })
    const infos = await Promise.all(this.#members.map((member) => this.#info(member)))
    const written = await this.#writers.byLeaders()
    const ended = this.#members.flatMap(({ plane }) =>
      plane.lines().filter(({ message }) => message === 'no longer leading'),
    )
    return {
      takeoverMs: this.#took,
      midWrite: this.#midWrite,
      writes: written.length,
      stale: staleIn(written, this.#leaders()),
      ends: Object.fromEntries(
        [...Map.groupBy(ended, ({ why }) => String(why))].map(([why, all]) => [why, all.length]),
      ),
      lastTerm: (await this.#writers.lease()).term,
      leading: infos.filter(({ leader: leads }) => leads).length,
      lost: [...wrong, ...lost],
      doubled,
      leaked,
      load: counts,
    }
  }
}
