import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, textAt, words, type Ran, type World } from '../harness.suite.ts'

const HOME = { HOME: '/home/ada' }
const FOLDER = '/home/ada/.config/berth'
const OWN = { [`${FOLDER}/connection.json`]: '{"url":"http://127.0.0.1:7700","token":"of-up"}' }

async function at(line: string, world: World): Promise<Ran> {
  return berth(words(line), { env: HOME, control: furnishedPlane, ...world })
}

function askedOf({ targets }: Ran): readonly string[] {
  return targets.map(({ url, token }) => `${url} ${token?.reveal()}`)
}

describe('berth login', () => {
  test('tries the token, keeps it, and commands go there from then on', async () => {
    const files = { ...OWN, '-': 'new-token\n' }
    const ran = await at('login https://lab.example:7700/ --token-stdin --name lab', { files })
    expect(ran.err).toBe('')
    expect(ran.out).toContain('Commands now go to https://lab.example:7700 (context lab, Berth ')
    expect(ran.out).not.toContain('new-token')
    expect(askedOf(ran)).toEqual(['https://lab.example:7700 new-token'])
    const saved = textAt(ran, `${FOLDER}/contexts.json`)
    const next = await at('ps', { files: { ...OWN, [`${FOLDER}/contexts.json`]: saved } })
    expect(askedOf(next)).toEqual(['https://lab.example:7700 new-token'])
  })

  test('takes certificates along', async () => {
    const files = { ...OWN, 'a.token': 't', 'ca.pem': '-----BEGIN CERTIFICATE-----' }
    const ran = await at('login https://lab.example --token-file a.token --ca ca.pem', { files })
    expect(ran.targets[0]).toMatchObject({ ca: '-----BEGIN CERTIFICATE-----' })
    const saved = textAt(ran, `${FOLDER}/contexts.json`)
    expect(JSON.parse(saved)).toMatchObject({ current: 'lab.example', contexts: { 'lab.example': { token: 't' } } })
  })

  test.each([
    ['a token that is refused', 'UNAUTHENTICATED', 'berth login https://lab.example --name lab', EXIT.unauthenticated],
    ['nobody who answers', 'CONTROL_PLANE_UNREACHABLE', 'berth context ls', EXIT.unreachable],
  ] as const)('%s is not kept', async (_, code, way, exitCode) => {
    const control = furnishedPlane()
    if (code === 'UNAUTHENTICATED') await control.lockOut()
    else await control.lose(1)
    const ran = await at('login https://lab.example --name lab', {
      control: () => control,
      files: { ...OWN, '-': 't' },
    })
    expect(ran.err).toContain(code)
    expect(ran.err).toContain(way)
    expect(ran.code).toBe(exitCode)
    expect(ran.files.has(`${FOLDER}/contexts.json`)).toBe(false)
  })

  test.each(['here', 'Lab', '../x', ''])('a context cannot be called %s', async (name) => {
    const { code, err } = await berth(['login', 'https://lab.example', '--name', name], { env: HOME })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('COMMAND_LINE')
  })
})
