import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, words, type Ran } from '../harness.suite.ts'

const OFFERS = `berth: v1
kind: inventory
provider: north
offers:
  - { instance: both, region: r1, host_arch: amd64, gpu: { model: l4, count: 1 }, cpu: 8, memory: 32Gi, usd_per_hour: 2, spot_usd_per_hour: 0.5 }
`
const MANIFEST = 'berth: v1\nkind: job\nname: tune\nimage: acme/job:1\nresources: { gpu: { count: 1 } }\n'
const CONFIG = `berth: v1
kind: config
default_policy: strict
policies:
  strict: { spot: never }
  free: { spot: asked }
`
const files = {
  'offers.yaml': OFFERS,
  'plain.yaml': MANIFEST,
  'asks.yaml': `${MANIFEST}spot: only\n`,
  'free.yaml': `${MANIFEST}policy: free\nspot: allowed\n`,
  'c.yaml': CONFIG,
}

function plan(line: string): Promise<Ran> {
  return berth(['plan', ...words(line)], { files })
}

describe('spot', () => {
  test('is asked for by the manifest or by a flag, and is what the plan then gets', async () => {
    expect((await plan('plain.yaml --offers offers.yaml')).out).toContain('$2.00/h in all')
    expect((await plan('plain.yaml --offers offers.yaml --spot')).out).toContain('$0.50/h in all')
    expect((await plan('asks.yaml --offers offers.yaml')).out).toContain('$0.50/h in all')
    expect((await plan('free.yaml --offers offers.yaml --config c.yaml')).out).toContain('$0.50/h in all')
  })

  test('that the policy does not permit is refused, naming who can', async () => {
    const { code, err } = await plan('asks.yaml --offers offers.yaml --config c.yaml')
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('SPOT_NOT_PERMITTED')
    expect(err).toContain('the policy strict does not permit spot machines')
    expect(err).toContain('The platform team decides this')
  })

  test('the hint counts what is sold both ways, and its price is what the plan would get', async () => {
    const { out } = await plan('plain.yaml --offers offers.yaml')
    expect(out).toMatch(/spot: allowed +instead of never +1 more or cheaper, from \$0\.50\/h/)
  })
})
