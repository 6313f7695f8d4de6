import * as z from 'zod'
import type { CloudEngine, FakeMachine, FakeOrder, FakeRefusal } from './engine.ts'

const FILES = z.object({ write_files: z.array(z.object({ path: z.string(), content: z.string() })) })

const WORK = z.object({
  attempt: z.string(),
  create: z.object({ Image: z.string(), Env: z.array(z.string()), ExposedPorts: z.record(z.string(), z.unknown()) }),
  port: z.number(),
})

type Work = z.infer<typeof WORK>

const GANG = z.object({ gang: z.object({ hosts: z.array(z.string()), members: z.array(WORK) }) })

/** What the runner of a machine would read, from the data that the machine is given. */
export function workIn(userData: string): Work {
  return WORK.parse(fileIn(userData))
}

/** The same of the machines of a gang, which are given the same data. */
export function gangIn(userData: string): z.infer<typeof GANG>['gang'] {
  return GANG.parse(fileIn(userData)).gang
}

function fileIn(userData: string): unknown {
  const { write_files: files } = FILES.parse(JSON.parse(userData.replace(/^#cloud-config\n/, '')))
  const file = files.find(({ path }) => path.endsWith('/work.json'))
  return JSON.parse(Buffer.from(file?.content ?? '', 'base64').toString('utf8'))
}

/** The same from a script. */
export function workInScript(script: string): Work {
  const content = /work\.json <<'END'\n([\s\S]*?)\nEND\n/.exec(script)?.[1] ?? ''
  return WORK.parse(JSON.parse(Buffer.from(content, 'base64').toString('utf8')))
}

/** A pretended virtual machine with an address of its own, on which a runner tells its state. */
export async function createVm(
  engine: CloudEngine,
  work: Work,
  order: Pick<FakeOrder, 'name' | 'shape' | 'body'>,
): Promise<FakeMachine | FakeRefusal> {
  const address = engine.freshAddress()
  const { Image: image, Env: pairs, ExposedPorts: exposed } = work.create
  const env = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  const ports = Object.keys(exposed).map((port) => Number(port.split('/')[0]))
  const made = await engine.create({ ...order, image, env, ports, address })
  if (typeof made === 'string' || work.port === 0) return made
  if (engine.boot !== undefined) {
    engine.boot(made)
    return made
  }
  await engine.listen({ host: address, port: work.port }, (path) => {
    if (path !== `/${work.attempt}`) return { status: 404, text: '' }
    return { status: 200, text: JSON.stringify({ attempt: work.attempt, ...statusOf(engine, made) }) }
  })
  return made
}

function statusOf(engine: CloudEngine, machine: FakeMachine): Readonly<Record<string, unknown>> {
  const state = engine.stateOf(machine)
  return state === 'ended' ? { state, code: engine.exitCode(machine) } : { state: state === 'up' ? 'up' : 'starting' }
}
