import { describe, expect, test } from 'vitest'
import { furnishedPlane } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, words, type Ran } from '../harness.suite.ts'

function exec(line: string, control = furnishedPlane()): Promise<Ran> {
  return berth(words(`exec ${line}`), { control: () => control })
}

describe('berth exec', () => {
  test('passes on what the command prints and how it ends', async () => {
    expect(await exec('llama-70b -- nvidia-smi -L')).toMatchObject({ code: 0, out: 'nvidia-smi -L\n', err: '' })
    expect(await exec('llama-70b -- false')).toMatchObject({ code: 1, out: 'false\n', err: 'no\n' })
  })

  test('its help says the default time as people write it', async () => {
    expect((await exec('--help')).out).toContain('(default: 60s)')
  })

  test('data has both outputs, the code and the slot', async () => {
    const { code, out } = await exec('llama-70b --slot 0 -o json -- false')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toEqual({ slot: '0', code: 1, out: 'false\n', err: 'no\n' })
  })

  test.each([
    ['llama-70b', "missing required argument 'command'", EXIT.usage],
    ['llama-70b sh -c hi', "unknown option '-c'\n(put -- before the command: berth exec NAME", EXIT.usage],
    ['llama-70b --timeout 2h -- ls', 'from 1s to 10m', EXIT.usage],
    ['llama-70 -- ls', 'Did you mean llama-70b?', EXIT.notFound],
  ])('exec %s is refused: %s', async (line, expected, exit) => {
    const { code, err } = await exec(line)
    expect(code).toBe(exit)
    expect(err).toContain(expected)
  })
})
