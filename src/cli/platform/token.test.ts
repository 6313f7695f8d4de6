import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

describe('berth token', () => {
  test('create prints the token alone, so that it can go into a file', async () => {
    const control = furnishedPlane()
    for (const project of ['a', 'b', 'c']) await control.setProject({ project })
    const { code, out, err } = await berth(words('token create grace --role reader --projects a,b c --ttl 12h'), {
      control: () => control,
    })
    expect(code).toBe(EXIT.ok)
    expect(out).toMatch(/^berth\.grace\.[\w-]{43}\n$/)
    expect(err).toBe('Token grace: reader of a, b, c, expires in 12 h. It is not shown again.\n')
    const made = (await control.tokens()).find(({ name }) => name === 'grace')
    expect(made).toMatchObject({ projects: ['a', 'b', 'c'], expires_ms: control.nowMs() + 43_200_000 })
  })

  test('create tells of a project that nobody knew, and names the one that may have been meant', async () => {
    const control = furnishedPlane()
    await control.setProject({ project: 'research' })
    const { code, out, err } = await berth(words('token create grace --projects default,reserch'), {
      control: () => control,
    })
    expect([code, out]).toEqual([EXIT.ok, expect.stringMatching(/^berth\.grace\./)])
    expect(err).toContain('There was no project reserch until now. If you meant research, remove the token')
  })

  test('ls never has the token, and says when one has expired', async () => {
    const control = furnishedPlane()
    const old = await control.createToken({ name: 'old', role: 'reader', projects: ['*'], ttl_ms: 60_000 })
    await control.pass(60)
    const { out } = await berth(words('token ls'), { control: () => control })
    expect(out).toContain(
      '  ci    writer  default   2 min ago  in 24 h\n  old   reader  *         60 s ago   expired\n',
    )
    expect(out).not.toContain(old.token)
  })

  test('rm asks', async () => {
    const control = furnishedPlane()
    const { asked, out } = await berth(words('token rm ci'), { control: () => control, answers: ['y'] })
    expect(asked).toHaveLength(1)
    expect(out).toBe('Token ci is removed.\n')
    expect((await control.tokens()).map(({ name }) => name)).toEqual(['ada'])
  })

  test.each([
    ['token create grace --role king', 'Allowed choices are reader, writer, admin.'],
    ['token create ada --ttl forever', 'Write a time such as'],
  ])('%s is refused', async (line, expected) => {
    const { code, err } = await berth(words(line), { control: furnishedPlane })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain(expected)
  })
})
