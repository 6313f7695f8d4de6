import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

const CANARY = 'hunter2-canary'

describe('berth secret set', () => {
  test.each([
    [CANARY, CANARY, ''],
    [`${CANARY}\n`, CANARY, ' The newline after the value was left out.'],
    [`${CANARY}\r\n`, CANARY, ' The newline after the value was left out.'],
    [`${CANARY}\n\n`, `${CANARY}\n`, ' The newline after the value was left out.'],
    [` ${CANARY} `, ` ${CANARY} `, ''],
  ])('takes %j from standard input', async (given, value, said) => {
    const control = furnishedPlane()
    const { code, out, err } = await berth(words('secret set KEY'), { files: { '-': given }, control: () => control })
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`Secret KEY is set (version 1).${said}\n`)
    expect(await control.secret('default/KEY')).toBe(value)
    expect(out + err).not.toContain(CANARY)
  })

  test('takes it from a file, and says on a terminal how to end the input', async () => {
    const control = furnishedPlane()
    const files = { 'k.txt': CANARY, '-': CANARY }
    const world = { files, control: () => control, answers: [] }
    expect((await berth(words('secret set KEY --from-file k.txt'), world)).err).toBe('')
    expect((await berth(words('secret set KEY'), world)).err).toContain('Ctrl-D')
  })

  test.each(['bad-name', '1ST', 'a.b'])('%s is not a valid name, and the message says which are', async (name) => {
    const { code, err, targets } = await berth(['secret', 'set', name], {
      files: { '-': CANARY },
      control: furnishedPlane,
    })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('letters, digits and underscores')
    expect(err).not.toContain(name)
    expect(targets).toEqual([])
    expect((await berth(['secret', 'rm', name, '--yes'], { control: furnishedPlane })).err).toContain('underscores')
  })

  test.each([
    ['nothing', { '-': '' }, 'secret set KEY', 'SECRET_EMPTY', EXIT.invalid],
    ['a line end alone', { '-': '\n' }, 'secret set KEY', 'SECRET_EMPTY', EXIT.invalid],
    ['no file', {}, 'secret set KEY --from-file nowhere', 'FILE_MISSING', EXIT.invalid],
    ['bytes', { '-': new Uint8Array([255, 0, 254]) }, 'secret set KEY', 'SECRET_UNFIT', EXIT.invalid],
    [
      'a value on the command line',
      {},
      `secret set KEY ${CANARY}`,
      'a value on the command line is visible to others',
      EXIT.usage,
    ],
  ])('%s is refused', async (_, files, line, expected, exit) => {
    const control = furnishedPlane()
    const { code, err } = await berth(words(line), { files, control: () => control })
    expect(code).toBe(exit)
    expect(err).toContain(expected)
    expect(err).not.toContain(CANARY)
    expect(await control.secret('default/KEY')).toBeUndefined()
  })
})

describe('berth secret', () => {
  test('ls shows names and ages, never values', async () => {
    const { out } = await berth(words('secret ls'), { control: furnishedPlane })
    expect(out).toBe('  NAME      VERSION  SET\n  HF_TOKEN        1  60 s ago\n')
  })

  test('rm asks, and an empty list is a sentence', async () => {
    const control = furnishedPlane()
    const { asked } = await berth(words('secret rm HF_TOKEN'), { control: () => control, answers: ['y'] })
    expect(asked).toEqual(['Remove secret HF_TOKEN of project default? Its value cannot be recovered. [y/N] '])
    expect((await berth(words('secret ls'), { control: () => control })).out).toContain(
      'Project default has no secrets.',
    )
  })
})

describe('secrets of the platform', () => {
  test('are set, listed, moved and removed apart from those of projects', async () => {
    const control = furnishedPlane()
    const world = { files: { '-': CANARY }, control: () => control, answers: ['y'] }
    const set = await berth(words('secret set CLOUD_KEY --platform'), world)
    expect(set.out).toBe('Secret CLOUD_KEY of the platform is set (version 1).\n')
    expect(await control.secret('*/CLOUD_KEY')).toBe(CANARY)
    expect((await berth(words('secret ls --platform'), world)).out).toContain('CLOUD_KEY')
    expect((await berth(words('secret ls'), world)).out).not.toContain('CLOUD_KEY')
    // As an installation from before credentials lay apart.
    const value = `${control.nowMs() + 60_000}`
    await control.store.commit({ writes: [{ kind: 'setting', key: 'credentials-apart-since', body: { value } }] })
    await control.setSecret({ project: 'default', name: 'OLD_KEY', value: 'old-value' })
    const toy = { kind: 'sim', settings: {}, credential: 'OLD_KEY', state: 'open' } as const
    await control.store.commit({ writes: [{ kind: 'provider', key: 'toy', body: toy }] })
    expect((await berth(words('secret set OLD_KEY --platform --move'), world)).out).toContain(
      'now belongs to the platform',
    )
    const { asked } = await berth(words('secret rm CLOUD_KEY --platform'), world)
    expect(asked).toEqual(['Remove secret CLOUD_KEY of the platform? Its value cannot be recovered. [y/N] '])
  })

  test.each(['--move', '--platform --project research', '--platform --move --from-file f'])(
    '%s is no way to say it',
    async (flags) => {
      const { code } = await berth(words(`secret set KEY ${flags}`), { control: furnishedPlane })
      expect(code).toBe(EXIT.usage)
    },
  )
})
