import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, textAt, words, type Ran, type World } from '../harness.suite.ts'

const HOME = { HOME: '/home/ada' }
const FOLDER = '/home/ada/.config/berth'
const OWN = { [`${FOLDER}/connection.json`]: '{"url":"http://127.0.0.1:7700","token":"of-up"}' }
const SAVED = JSON.stringify({
  current: 'lab',
  contexts: { lab: { url: 'https://lab.example', token: 'of-lab' }, prod: { url: 'https://prod.example', token: 'p' } },
})
const LAB = { ...OWN, [`${FOLDER}/contexts.json`]: SAVED }

async function at(line: string, world: World = {}): Promise<Ran> {
  return berth(words(line), { env: HOME, control: furnishedPlane, files: LAB, ...world })
}

function askedOf({ targets }: Ran): readonly string[] {
  return targets.map(({ url, token }) => `${url} ${token?.reveal()}`)
}

describe('where commands go', () => {
  test.each([
    ['ps', {}, 'https://lab.example of-lab'],
    ['ps --context prod', {}, 'https://prod.example p'],
    ['ps --context here', {}, 'http://127.0.0.1:7700 of-up'],
    ['ps', { BERTH_CONTEXT: 'prod' }, 'https://prod.example p'],
    ['ps --context lab', { BERTH_CONTEXT: 'prod' }, 'https://lab.example of-lab'],
    ['ps', { BERTH_URL: 'http://x.example', BERTH_TOKEN: 'e' }, 'http://x.example e'],
    ['ps --url https://prod.example', {}, 'https://prod.example p'],
    ['ps --url https://other.example', {}, 'https://other.example undefined'],
  ])('berth %s, with %o: %s', async (line, env, target) => {
    expect(askedOf(await at(line, { env: { ...HOME, ...env } }))).toEqual([target])
  })

  test('to this machine when nothing was chosen', async () => {
    expect(askedOf(await at('ps', { files: OWN }))).toEqual(['http://127.0.0.1:7700 of-up'])
  })

  test('a failure says which context was asked, and how to go on', async () => {
    const control = furnishedPlane()
    await control.lockOut()
    const { err } = await at('ps', { control: () => control })
    expect(err).toContain('The request went to context lab (https://lab.example). Log in with a new token: berth login')
  })

  test('an unknown context is refused, with a list of the known ones', async () => {
    const { code, err } = await at('ps --context lob')
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('CONTEXT_UNKNOWN')
    expect(err).toContain('Did you mean lab?')
  })
})

describe('berth context', () => {
  test('lists them, with the one in use', async () => {
    const { out } = await at('context ls')
    expect(out.split('\n')).toEqual([
      '     NAME  ADDRESS',
      '     here  http://127.0.0.1:7700',
      '  *  lab   https://lab.example',
      '     prod  https://prod.example',
      '',
    ])
    expect(out).not.toContain('of-lab')
  })

  test('chooses another, and goes back', async () => {
    const ran = await at('context use prod')
    expect(ran.out).toBe('Commands now go to https://prod.example (context prod).\n')
    expect(JSON.parse(textAt(ran, `${FOLDER}/contexts.json`))).toMatchObject({ current: 'prod' })
    const back = await at('context use here')
    expect(JSON.parse(textAt(back, `${FOLDER}/contexts.json`))).not.toHaveProperty('current')
  })

  test('forgets one, and commands go back to this machine', async () => {
    const ran = await at('context rm lab')
    expect(ran.out).toContain('Commands go to the control plane of this machine (here) again.')
    const saved = JSON.parse(textAt(ran, `${FOLDER}/contexts.json`))
    expect(Object.keys(saved.contexts)).toEqual(['prod'])
    expect(saved).not.toHaveProperty('current')
  })

  test('shows the one in use, also where the environment says it', async () => {
    expect((await at('context show')).out).toBe('lab  https://lab.example\n')
    expect((await at('context show', { env: { ...HOME, BERTH_CONTEXT: 'prod' } })).out).toContain('prod')
  })

  test('a damaged file says so', async () => {
    const { code, err } = await at('ps', { files: { ...OWN, [`${FOLDER}/contexts.json`]: '{' } })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('CONNECTION_UNREADABLE')
  })
})
