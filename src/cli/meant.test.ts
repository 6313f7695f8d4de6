import { describe, expect, test } from 'vitest'
import { EXIT } from './cli.ts'
import { berth, words } from './harness.suite.ts'

describe('words of other tools', () => {
  test.each([
    ['delete web', 'berth rm?'],
    ['status', 'berth ps or berth get?'],
    ['down web', 'berth rm or berth stop?'],
    ['describe web', 'berth get or berth explain?'],
    ['top', 'berth ps?'],
    ['ls', 'berth ps?'],
    ['run train.yaml', 'berth launch or berth apply?'],
    ['kill web', 'berth stop or berth rm?'],
    ['deploy web.yaml', 'berth apply?'],
    ['constructor', undefined],
  ])('berth %s', async (line, meant) => {
    const { code, err } = await berth(words(line))
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('error: unknown command')
    if (meant !== undefined) expect(err).toContain(`(Did you mean ${meant}`.slice(0, -1))
    expect(err).toContain('(add --help for usage and examples)')
  })

  test.each([
    ['apply -f web.yaml', 'The file is an argument: berth apply FILE'],
    ['plan --file web.yaml', 'The file is an argument: berth apply FILE'],
    ['ps --namespace web', 'Did you mean --project?'],
    ['rm web --force', 'Did you mean --yes?'],
    ['ps --json', 'Did you mean -o json?'],
    ['up web.yaml', 'berth apply FILE'],
  ])('berth %s', async (line, meant) => {
    const { code, err } = await berth(words(line))
    expect(code).toBe(EXIT.usage)
    expect(err).toContain(meant)
  })

  test('a misspelt command still gets the nearest there is, and data has it too', async () => {
    expect((await berth(['aply'])).err).toContain('(Did you mean apply?)')
    const { err } = await berth(words('delete web -o json'))
    expect(JSON.parse(err).error.problems[0].message).toContain('berth rm')
  })
})
