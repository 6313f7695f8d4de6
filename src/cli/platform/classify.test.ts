import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

const SOLD_OUT = JSON.stringify({
  title: 'Bad Request',
  status: 400,
  detail: 'There are no longer any instances available with the requested specifications.',
})
const files = {
  'sold-out.json': SOLD_OUT,
  'empty.json': '',
  'limit.json': '{"title":"Too Many Requests","detail":"slow down"}',
}

describe('berth provider classify', () => {
  test('says for scripts what a reply means', async () => {
    const line = 'provider classify runpod --operation create --status 400 --body sold-out.json -o json'
    const { out, code } = await berth(words(line), { files })
    expect(code).toBe(EXIT.ok)
    expect(JSON.parse(out)).toEqual({ class: 'SOLD_OUT', scope: 'offer', created: 'no', retry_after_s: null })
  })

  test('says it for people, with the words of the provider', async () => {
    const line = 'provider classify runpod --operation create --status 400 --body sold-out.json'
    const { out } = await berth(words(line), { files })
    expect(out).toContain('SOLD_OUT: nothing was created')
    expect(out).toContain('this machine in this region, for 3 min')
    expect(out).toContain('There are no longer any instances available')
  })

  test('takes the header that says when to come back', async () => {
    const line = 'provider classify runpod --operation list --status 429 --retry-after 7 --body limit.json -o json'
    const { out } = await berth(words(line), { files })
    expect(JSON.parse(out)).toMatchObject({ class: 'RATE_LIMIT', retry_after_s: 7 })
  })

  test('an empty reply after a create may have created something', async () => {
    const line = 'provider classify lambda --operation create --status 502 --body empty.json -o json'
    const { out } = await berth(words(line), { files })
    expect(JSON.parse(out)).toMatchObject({ class: 'AMBIGUOUS', created: 'maybe' })
  })

  test.each([
    [
      'provider classify runpot --operation create --status 400 --body empty.json',
      'Did you mean runpod?',
      EXIT.invalid,
    ],
    ['provider classify runpod --operation create --status 400 --body nowhere.json', 'FILE_MISSING', EXIT.invalid],
    [
      'provider classify runpod --operation make --status 400 --body empty.json',
      'create, describe, list, stop',
      EXIT.usage,
    ],
    ['provider classify runpod --operation create --status x --body empty.json', 'such as 400', EXIT.usage],
    ['provider classify runpod --status 400 --body empty.json', '--operation', EXIT.usage],
  ])('%s: %s', async (line, expected, exit) => {
    const { code, err } = await berth(words(line), { files })
    expect([code, err]).toEqual([exit, expect.stringContaining(expected)])
  })
})
