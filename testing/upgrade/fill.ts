import { randomBytes } from 'node:crypto'
import { sleep, until, type RealPlane } from '../plane/plane.ts'
import { lives, type Deed, type Life } from './work.ts'

/** Requests that both the earliest version and this one understand: spelt out, because the client is always of this one. */
class Wire {
  readonly #plane: RealPlane

  constructor(plane: RealPlane) {
    this.#plane = plane
  }

  /** The answer; undefined where there is none. Throws with what the control plane says. */
  async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${this.#plane.token}`,
      'idempotency-key': randomBytes(8).toString('hex'),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const answer = await fetch(`${this.#plane.url}/v1${path}`, init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}

const TEMPLATE = `parameters:
  size: { type: number, default: 1, allowed: [1, 2], description: "CPU cores" }
berth: v1
kind: service
name: from-template
image: registry.example/app:1
resources: { cpu: "\${size}" }
policy: quick
`

/**
 * A control plane with this many workloads in all phases, and with rows of every other kind. It is killed twice: in the
 * middle, so that what was under way is unknown, and at the end, while more is under way.
 */
export async function fill(plane: RealPlane, count: number): Promise<void> {
  await plane.start()
  await platform(new Wire(plane))
  const all = lives(count)
  const [early, late] = [all.filter(({ when }) => when === 'early'), all.filter(({ when }) => when === 'late')]
  await inTurn(early, (life) => apply(new Wire(plane), life))
  await settled(plane)
  await inTurn(early, (life) => goOn(new Wire(plane), life))
  await settled(plane)
  await plane.kill()
  await plane.start()
  await settled(plane)
  await inTurn(late, (life) => apply(new Wire(plane), life))
  // Long enough to be written down and sent, and far too short for an answer that never comes.
  await sleep(3000)
  await plane.kill()
}

/** One row of every kind that workloads do not leave behind by themselves. */
async function platform(wire: Wire): Promise<void> {
  await wire.ask('PUT', '/projects/lab', { gpusMax: 4, usdPerHourMax: 12.5, workloadsMax: 10 })
  await wire.ask('PUT', '/policies/thrifty', {
    settings: { objective: 'balanced', max_usd_per_hour: 3, spot: 'never' },
  })
  await wire.ask('PUT', '/providers/added', { kind: 'sim', settings: { start_seconds: 1 } })
  await wire.ask('POST', '/tokens', { name: 'reader-1', role: 'reader', projects: ['default'], ttl_ms: 86_400_000 })
  await wire.ask('PUT', '/projects/default/secrets/MODEL_TOKEN', { value: 'not-a-secret' })
  await wire.ask('POST', '/projects/default/templates/small', { text: TEMPLATE })
  await wire.ask('POST', '/projects/default/templates/small/launch', { name: 'launched', set: { size: '2' } })
}

async function apply(wire: Wire, { name, text }: Life): Promise<void> {
  await wire.ask('POST', '/projects/default/workloads', { text, file: `${name}.yaml` })
}

async function goOn(wire: Wire, { name, after }: Life): Promise<void> {
  for (const deed of after) await carryOut(wire, name, deed)
}

async function carryOut(wire: Wire, name: string, deed: Deed): Promise<void> {
  const at = `/projects/default/workloads/${name}`
  switch (deed.kind) {
    case 'apply':
      return void (await wire.ask('POST', '/projects/default/workloads', { text: deed.text, file: `${name}.yaml` }))
    case 'scale':
      return void (await wire.ask('POST', `${at}/scale`, { replicas: deed.replicas, role: deed.role }))
    case 'stop':
      return void (await wire.ask('POST', `${at}/stop`))
    case 'remove':
      return void (await wire.ask('DELETE', at))
  }
}

/** Ends when nothing has changed its phase for a while: what moves on by itself has arrived. */
export async function settled(plane: RealPlane): Promise<void> {
  let before = ''
  let sinceMs = Date.now()
  await until('everything has settled', { withinMs: 300_000, everyMs: 500 }, async () => {
    const answer = await fetch(`${plane.url}/metrics`, { headers: { authorization: `Bearer ${plane.token}` } })
    const now = (await answer.text())
      .split('\n')
      .filter((line) => /^berth_(workloads|placements)\{/.test(line))
      .join()
    if (now !== before) [before, sinceMs] = [now, Date.now()]
    return now !== '' && Date.now() - sinceMs > 6000 ? { found: true } : now
  })
}

/** A few at a time. */
export async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

/** Every manifest that is wanted now, applied once more; what came of each, by name. */
export async function reapplyAll(
  plane: RealPlane,
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const wire = new Wire(plane)
  const outcomes = new Map<string, string>()
  await inTurn([...texts], async ([name, text]) => {
    const answer = await wire.ask('POST', '/projects/default/workloads', { text, file: `${name}.yaml` })
    // As its schema says.
    outcomes.set(name, (answer as { readonly outcome: string }).outcome)
  })
  return outcomes
}
