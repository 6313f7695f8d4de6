import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Load } from './load.ts'
import { freePort, Plane, sleep, until } from './plane.ts'
import { processesWith, signalAll } from './processes.ts'
import { TROUBLES, views, well, type Stage, type Trouble } from './troubles.ts'

// The control plane, for real: three providers of this machine, two services behind one address each, a job that saves its
// work, and callers that never stop, while providers sell out, die, freeze and are drained and the control plane is killed.
// `npm run demo` plays by itself; `npm run demo -- --keys` lets you choose; `--once -o json` prints the table alone.

const USAGE = `usage: npm run demo -- [--once] [--keys] [-o text|json]
  --once   play it once by itself, also on a terminal (that is what happens without --keys)
  --keys   choose on the keyboard what goes wrong next
  -o json  print the closing table as JSON, and nothing else (npm run -s demo -- -o json: npm is silent, too)`
const values = flags()
const CONFIG = 'examples/demo/berth.config.yaml'
const WORK = ['chat', 'embed', 'train'] as const
const isQuiet = values.output === 'json'

/** One trouble, as it was felt. */
interface Felt {
  readonly trouble: string
  readonly recovered_s: number
  readonly longest_ms: number
  readonly failed: number
}

function flags() {
  try {
    return parseArgs({
      options: {
        once: { type: 'boolean', default: false },
        keys: { type: 'boolean', default: false },
        output: { type: 'string', short: 'o', default: 'text' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
    process.exit(64)
  }
}

function print(text: string): void {
  if (!isQuiet) process.stdout.write(text)
}

if (values.help || (values.output !== 'text' && values.output !== 'json')) {
  console.error(USAGE)
  process.exit(values.help ? 0 : 64)
}
if (values.keys && !process.stdin.isTTY) {
  console.error('--keys needs a terminal. Without it the demo plays by itself.')
  process.exit(64)
}

const folder = mkdtempSync(join(tmpdir(), 'berth-demo-'))
const [port, gateway] = [await freePort(), await freePort()]
const plane = new Plane({ folder, config: CONFIG, port, gateway, print })
const load = new Load()
const stage: Stage = { plane, say: (line) => print(`  ${line}\n`) }
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    print('\nEnded early; everything that the demo had started is being ended.\n')
    process.exit(130)
  })
}
// Whatever goes wrong, nothing of the demo stays behind: the control plane, the gateway and all that they start have its folder in
// their environment.
process.on('exit', () => {
  plane.killNow()
  for (let look = 0; look < 3; look++) signalAll(processesWith(new Set([`TMPDIR=${folder}`])), 'SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

try {
  await play()
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`)
  console.error(`What the control plane said last:\n${plane.lastLines()}`)
  await cleanUp().catch(() => undefined)
  process.exit(1)
}

async function play(): Promise<void> {
  print('── Three providers of this machine, two services behind one address each, a job that saves its work.\n\n')
  await plane.start()
  await plane.show('provider', 'ls')
  for (const name of WORK) await plane.show('apply', `examples/demo/${name}.yaml`, '--yes', '--price-tolerance', '50%')
  await well(stage)
  const addresses = await Promise.all(['chat', 'embed'].map(endpointOf))
  await until('both answer', async () => (await Promise.all(addresses.map(answers))).every(Boolean))
  load.begin(addresses)
  print(`Callers begin: ${addresses.join(', ')}\n`)
  const felt = values.keys ? await byKeys() : await byItself()
  await load.end()
  print('\n── What happened, as it was written down.\n\n')
  await plane.show('events', '--tail', '30')
  const moved = await countMoved()
  await cleanUp()
  table({ felt, moved, ...steps() })
}

async function byItself(): Promise<readonly Felt[]> {
  const felt: Felt[] = []
  for (const [index, trouble] of TROUBLES.entries()) {
    print(`\n── ${index + 1} of ${TROUBLES.length} ── ${trouble.title}\n\n`)
    felt.push(await feel(trouble))
  }
  return felt
}

async function byKeys(): Promise<readonly Felt[]> {
  const felt: Felt[] = []
  process.stdin.setRawMode(true)
  for (;;) {
    print(`\n${TROUBLES.map(({ key, title }) => `  ${key}  ${title}`).join('\n')}\n  q  end\n`)
    const key = await new Promise<string>((resolve) => {
      process.stdin.resume().once('data', (typed) => resolve(typed.toString()))
    })
    process.stdin.pause()
    if (key === '\u0003') process.exit(130)
    if (key === 'q') break
    const trouble = TROUBLES.find((each) => each.key === key)
    if (trouble !== undefined) felt.push(await feel(trouble))
  }
  process.stdin.setRawMode(false)
  return felt
}

/** Plays it, and tells what callers noticed. */
async function feel(trouble: Trouble): Promise<Felt> {
  load.takeLongestMs()
  const { failed } = load.seen
  const beganMs = performance.now()
  await trouble.play(stage)
  const recovered = (performance.now() - beganMs) / 1000
  await sleep(500)
  const [title = ''] = trouble.title.split(/[:,]/)
  const one = {
    trouble: title.replace(/\.$/, ''),
    recovered_s: Math.round(recovered * 10) / 10,
    longest_ms: Math.round(load.takeLongestMs()),
    failed: load.seen.failed - failed,
  }
  print(`  → ${one.recovered_s} s, longest request ${one.longest_ms} ms, ${one.failed} failed\n`)
  return one
}

async function endpointOf(name: string): Promise<string> {
  const { endpoint } = JSON.parse(await plane.ask('get', name, '-o', 'json'))
  if (typeof endpoint !== 'string') throw new Error(`${name} has no address`)
  return endpoint
}

async function answers(address: string): Promise<boolean> {
  const reply = await fetch(address, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
  return reply?.ok === true
}

/** Replicas that were placed again after their first time. */
async function countMoved(): Promise<number> {
  const all = await views(stage)
  return all.flatMap(({ slots }) => slots).reduce((sum, { epoch }) => sum + Math.max(0, epoch - 1), 0)
}

/** Steps of the job, and those that had to be done again because they were not saved. */
function steps(): { readonly steps: number; readonly lost: number } {
  const file = join(folder, 'train.steps')
  const done = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return { steps: new Set(done).size, lost: done.length - new Set(done).size }
}

async function cleanUp(): Promise<void> {
  for (const { name } of await views(stage)) await plane.ask('rm', name, '--yes').catch(() => undefined)
  await until('everything is gone', async () => (await views(stage)).length === 0)
  await plane.ask('gateway', 'stop', '--data', join(folder, 'data')).catch(() => undefined)
  const code = await plane.stop()
  if (code !== 0) throw new Error(`the control plane ended with ${code}`)
}

interface Played {
  readonly felt: readonly Felt[]
  readonly moved: number
  readonly steps: number
  readonly lost: number
}

function table({ felt, moved, steps: done, lost }: Played): void {
  const { sent, failed, longestMs, whyFailed } = load.seen
  const longest = Math.round(longestMs)
  process.exitCode = failed === 0 ? 0 : 1
  if (isQuiet) {
    const all = { requests: sent, failed, longest_ms: longest, moved, steps: done, steps_lost: lost, troubles: felt }
    console.log(JSON.stringify({ ...all, why_failed: whyFailed }))
    return
  }
  console.log('\n  TROUBLE                                    RECOVERED  LONGEST REQUEST  FAILED')
  for (const each of felt) {
    const figures = [
      `${each.recovered_s} s`.padStart(9),
      `${each.longest_ms} ms`.padStart(15),
      String(each.failed).padStart(6),
    ]
    console.log(`  ${each.trouble.padEnd(41)}  ${figures.join('  ')}`)
  }
  console.log(`\n  requests sent, failed      ${sent}, ${failed}`)
  console.log(`  longest request            ${longest} ms`)
  console.log(`  replicas moved, restarted  ${moved}`)
  console.log(`  steps of the job, lost     ${done}, ${lost}`)
  for (const why of whyFailed) console.log(`  failed: ${why}`)
}
