import { describe, expect, test } from 'vitest'
import { EXIT } from './cli.ts'
import { berth, MANIFEST, words, type World } from './harness.suite.ts'
import { emptyPlane, furnishedPlane } from './planes.suite.ts'
import { OUT_OF_TIME } from './work/wait.ts'

const files = {
  'w.yaml': MANIFEST,
  'bad.yaml': MANIFEST.replace('image:', 'imago:'),
  'value.txt': 'value',
}

/** Nothing here changes anything, so one control plane serves all. */
const PLANE = furnishedPlane()

/** The same mistake ends with the same code, whatever the command. */
async function codeOf(line: string, world: World = {}): Promise<number> {
  return (await berth(words(line), { files, control: () => PLANE, ...world })).code
}

const NAMED = [
  'get nope',
  'ps nope',
  'logs nope',
  'events nope',
  'explain nope',
  'explain NO_SUCH_CODE',
  'exec nope true',
  'history nope',
  'rollback nope --yes',
  'rerun nope --yes',
  'restart nope --yes',
  'scale nope 2',
  'stop nope',
  'rm nope --yes',
  'wait nope',
  'launch nope --yes',
  'template show nope',
  'template diff nope',
  'template rm nope --yes',
  'drain nope',
  'provider test nope',
  'provider rm nope --yes',
  'policy show nope',
  'policy rm nope --yes',
  'secret rm NOPE --yes',
  'token rm nope --yes',
  'apply w.yaml --yes --project nope',
  'context use nope',
  'context rm nope --yes',
  'ps --context nope',
]

const FILES = ['apply FILE --yes', 'plan FILE', 'validate FILE', 'template push chat FILE']
const ASKING = [
  'rm llama-70b',
  'restart llama-70b',
  'token rm ci',
  'template rm chat',
  'provider rm northwind',
  'secret rm HF_TOKEN',
]
const REMOTE = ['ps', 'apply w.yaml --yes', 'stop llama-70b', 'provider ls']
const WRONG = [
  'nope',
  'ps --nope',
  'scale llama-70b',
  'scale llama-70b many',
  'apply w.yaml --timeout soon',
  ...['wait llama-70b', 'launch chat', 'rollback llama-70b', 'rerun llama-70b', 'exec llama-70b true'].map((line) =>
    line.replace(' ', ' --timeout soon '),
  ),
  'launch chat --set x',
  'policy set p --set x',
  'provider add p --kind sim --set x',
  'drain northwind --undo --cordon',
]

/** Commands that stop, remove or replace something. */
const CHANGING = [
  'apply',
  'launch',
  'rerun',
  'restart',
  'rollback',
  'scale',
  'stop',
  'rm',
  'drain',
  'template rm',
  'provider rm',
  'policy rm',
  'secret rm',
  'secret rotate',
  'token rm',
  'context rm',
]

test('berth --help names every exit code, also that of a wait whose time ran out', async () => {
  const { out } = await berth(['--help'])
  const listed = out.slice(out.indexOf('Exit codes:'))
  for (const code of [...Object.values(EXIT), OUT_OF_TIME]) expect(listed).toMatch(new RegExp(`\\b${code} [a-z-]`))
})

test.each(CHANGING)('%s takes --yes, whether it asks or not', async (command) => {
  const { code, out } = await berth([...words(command), '--help'])
  expect([code, out]).toEqual([EXIT.ok, expect.stringMatching(/\n {2}-y, --yes +(do not ask|has no effect: this)/)])
})

describe('the same mistake ends with the same exit code', () => {
  test.each(NAMED)('%s: there is no such object', async (line) => {
    expect(await codeOf(line)).toBe(EXIT.notFound)
  })

  test.each(FILES)('%s: the file is invalid, or there is none', async (line) => {
    expect(await codeOf(line.replace('FILE', 'bad.yaml'))).toBe(EXIT.invalid)
    expect(await codeOf(line.replace('FILE', 'nowhere.yaml'))).toBe(EXIT.invalid)
  })

  test.each(ASKING)('%s: there is no terminal to ask on', async (line) => {
    expect(await codeOf(line)).toBe(EXIT.unconfirmed)
    expect(await codeOf(line, { answers: ['n'] })).toBe(EXIT.notDone)
  })

  test.each(REMOTE)('%s: no control plane, none that answers, or no valid token', async (line) => {
    expect(await codeOf(line, { env: {} })).toBe(EXIT.unreachable)
    const lost = emptyPlane()
    await lost.lose(9)
    expect(await codeOf(line, { control: () => lost })).toBe(EXIT.unreachable)
    const locked = emptyPlane()
    await locked.lockOut()
    expect(await codeOf(line, { control: () => locked })).toBe(EXIT.unauthenticated)
  })

  test.each(WRONG)('%s: the command line is wrong', async (line) => {
    expect(await codeOf(line)).toBe(EXIT.usage)
  })
})
