import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, Plane, sleep, until } from './demo-plane.ts'

// The control plane, for real: it is started, two examples are applied, it is killed in the middle with -9 and started
// again, and what runs is compared. `bin/berth demo` is the other demo, which only plans.

const FILES = {
  config: 'examples/keep/berth.config.yaml',
  hello: 'examples/keep/hello.yaml',
  chat: 'examples/keep/chat.yaml',
}
const SCENES = 6
/** The first slot has a place, and nobody has said yet that it is up. */
const ORDERED = /is accepted\.[^]*\n {2}0 {2}toy\//

/** One instance of one slot, as it is compared before and after. */
interface Place {
  readonly slot: string
  readonly attempt: string
  readonly instance: string
}

interface View {
  readonly name: string
  readonly ready: number
  readonly total: number
  readonly slots: readonly {
    readonly slot: string
    readonly attempt: string
    readonly phase: string
    readonly instance?: string
    readonly ports: Readonly<Record<string, string>>
  }[]
}

const folder = mkdtempSync(join(tmpdir(), 'berth-demo-'))
const plane = new Plane({ folder, config: FILES.config, port: await freePort() })
let helloProcess: number | undefined
process.on('SIGINT', () => process.exit(130))
// Whatever goes wrong, nothing of the demo stays behind.
process.on('exit', () => {
  plane.killNow()
  if (helloProcess !== undefined) endProcess(helloProcess)
  rmSync(folder, { recursive: true, force: true })
})

try {
  await play()
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`)
  console.error(`What the control plane said last:\n${plane.lastLines()}`)
  await cleanUp().catch(() => undefined)
  process.exitCode = 1
}

async function play(): Promise<void> {
  scene(1, `Start a control plane with two providers: this host, and a cloud that only pretends.`)
  await plane.start()
  await plane.show('provider', 'ls')

  scene(2, 'Have a web server run on this host.')
  await plane.show('apply', FILES.hello, '--yes', '--timeout', '60s')
  const address = await addressOf('hello')
  const before = await greet(address)
  helloProcess = before.pid
  console.log(`$ curl ${address}\n${before.text}`)

  scene(3, 'Have two GPUs of the cloud, and kill the control plane with -9 while they are being ordered.')
  const applying = plane.begin('apply', FILES.chat, '--yes', '--timeout', '120s')
  await until('chat is being ordered', async () => ORDERED.test(applying.said()))
  await plane.kill()
  console.log('--- kill -9 of the control plane ---')
  const meanwhile = await greet(address)
  console.log(`$ curl ${address}      (nobody is in control now)\n${meanwhile.text}`)
  await plane.start()
  console.log('--- started again; the apply from before goes on by itself ---')
  const code = await applying.ended
  if (code !== 0) throw new Error(`the apply that was under way ended with ${code}:\n${applying.said()}`)

  scene(4, 'Kill it once more, with everything at rest, and compare what runs.')
  await plane.show('ps')
  const placesBefore = await places()
  await plane.kill()
  await sleep(1000)
  await plane.start()
  await plane.show('ps')
  const placesAfter = await settledPlaces(placesBefore.length)
  const after = await greet(address)

  scene(5, 'What happened, as it was written down.')
  await plane.show('events', '--tail', '20')
  await plane.show('explain', 'hello')

  scene(6, 'Clean up.')
  await cleanUp()
  summary({ before: placesBefore, after: placesAfter, pids: [before.pid, meanwhile.pid, after.pid] })
}

interface Compared {
  readonly before: readonly Place[]
  readonly after: readonly Place[]
  readonly pids: readonly number[]
}

function summary({ before, after, pids }: Compared): void {
  const lost = before.filter((place) => !after.some((other) => isSame(place, other)))
  const added = after.filter((place) => !before.some((other) => isSame(place, other)))
  const isOneProcess = new Set(pids).size === 1
  console.log('\nSummary')
  console.log(`  control plane killed with -9   2 times, once in the middle of an order`)
  console.log(`  instances before and after     ${before.length} and ${after.length}`)
  console.log(`  lost, started twice            ${lost.length}, ${added.length}`)
  console.log(`  process of hello               ${pids.join(', ')} (${isOneProcess ? 'the same' : 'ANOTHER ONE'})`)
  const isFine = lost.length === 0 && added.length === 0 && isOneProcess
  console.log(isFine ? '  Nothing was lost.' : '  SOMETHING WAS LOST.')
  process.exitCode = isFine ? 0 : 1
}

function isSame(one: Place, two: Place): boolean {
  return one.slot === two.slot && one.attempt === two.attempt && one.instance === two.instance
}

function scene(number: number, title: string): void {
  console.log(`${number === 1 ? '' : '\n'}── ${number} of ${SCENES} ── ${title}\n`)
}

async function views(): Promise<readonly View[]> {
  return JSON.parse(await plane.ask('ps', '-o', 'json'))
}

async function places(): Promise<readonly Place[]> {
  return (await views()).flatMap(({ name, slots }) =>
    slots
      .filter(({ phase }) => phase !== 'gone')
      .map(({ slot, attempt, instance = '?' }) => ({ slot: `${name}/${slot}`, attempt, instance })),
  )
}

/** Right after a start some may still be looked for: they get a little time to be found, not to be started anew. */
async function settledPlaces(count: number): Promise<readonly Place[]> {
  await until('everything is up', async () => {
    const all = await views()
    return all.length === 2 && all.every(({ ready, total }) => ready === total)
  })
  const found = await places()
  if (found.length !== count) console.log(`  (${found.length} instances, and there were ${count})`)
  return found
}

async function addressOf(name: string): Promise<string> {
  const { slots }: View = JSON.parse(await plane.ask('get', name, '-o', 'json'))
  const [address] = slots.flatMap(({ ports }) => Object.values(ports))
  if (address === undefined) throw new Error(`${name} has no address`)
  return address.includes('://') ? address : `http://${address}/`
}

async function greet(address: string): Promise<{ readonly text: string; readonly pid: number }> {
  const text = (await (await fetch(address, { signal: AbortSignal.timeout(5000) })).text()).trimEnd()
  const pid = Number(/process (\d+)$/.exec(text)?.[1])
  if (!Number.isInteger(pid)) throw new Error(`${address} answered something else: ${text.slice(0, 200)}`)
  return { text, pid }
}

async function cleanUp(): Promise<void> {
  for (const name of ['hello', 'chat']) await plane.ask('rm', name, '--yes').catch(() => undefined)
  await until('everything is gone', async () => (await views()).length === 0)
  console.log('$ berth rm hello --yes && berth rm chat --yes\nEverything is gone.')
  const code = await plane.stop()
  console.log(`SIGTERM: the control plane ended with ${code}.`)
  helloProcess = undefined
  if (code !== 0) throw new Error(`the control plane ended with ${code}`)
}

/** Only the process that this demo had started, and only if it is still there. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // It is gone, as it should be.
  }
}
