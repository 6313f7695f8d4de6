import { describe, expect, test } from 'vitest'
import { furnishedBerth } from '../berth.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, NOW_MS, words } from '../harness.suite.ts'

describe('berth token', () => {
  test('create prints the token alone, so that it can go into a file', async () => {
    const control = furnishedBerth()
    const { code, out, err } = await berth(words('token create ada --role reader --projects a,b c --ttl 12h'), {
      control: () => control,
    })
    expect(code).toBe(EXIT.ok)
    expect(out).toBe('berth_ci_abcdef\n')
    expect(err).toBe('Token ada: reader of a, b, c, expires in 12 h. It is not shown again.\n')
    expect(control.capacity.tokens.get('ada')).toMatchObject({
      projects: ['a', 'b', 'c'],
      expires_ms: NOW_MS + 43_200_000,
    })
  })

  test('ls never has the token, and says when one has expired', async () => {
    const control = furnishedBerth()
    const token = { name: 'old', role: 'reader' as const, projects: ['*'], created_ms: NOW_MS, expires_ms: NOW_MS - 1 }
    control.capacity.tokens.set('old', token)
    const { out } = await berth(words('token ls'), { control: () => control })
    expect(out).toContain(
      '  ci    writer  default   now      on 2026-11-16\n  old   reader  *         now      expired\n',
    )
    expect(out).not.toContain('abcdef')
  })

  test('rm asks', async () => {
    const control = furnishedBerth()
    const { asked, out } = await berth(words('token rm ci'), { control: () => control, answers: ['y'] })
    expect(asked).toHaveLength(1)
    expect(out).toBe('Token ci is removed.\n')
    expect((await berth(words('token ls'), { control: () => control })).out).toContain('There are no tokens.')
  })

  test.each([
    ['token create ada --role king', 'Allowed choices are reader, writer, admin.'],
    ['token create ada --ttl forever', 'Write a time such as'],
  ])('%s is refused', async (line, expected) => {
    const { code, err } = await berth(words(line), { control: furnishedBerth })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain(expected)
  })
})
