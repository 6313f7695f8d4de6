import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, words, type Ran, type World } from '../harness.suite.ts'
import { emptyPlane } from '../planes.suite.ts'

const TWO = MANIFEST.replace('name: llama-70b', 'name: two').replace('count: 4', 'count: 1') + 'replicas: 2\n'
const files = { 'w.yaml': MANIFEST, 'two.yaml': TWO }

function apply(line: string, control = emptyPlane(), world: World = {}): Promise<Ran> {
  return berth(['apply', ...words(line)], { files, control: () => control, ...world })
}

describe('the price that was agreed', () => {
  const OFFER = 'northwind/north-1/nw-h100-4'

  /** A workload that was agreed to cost $9.40/h and has lost its place while the price rose to $11. */
  async function dearer() {
    const control = emptyPlane()
    await apply('w.yaml --yes', control)
    const { cloud } = await control.cloud()
    cloud.setPrice(OFFER, 11)
    await control.pass(120)
    for (const { id } of cloud.instances()) cloud.stop(id, control.nowMs())
    await control.pass(300)
    return control
  }

  test('binds later, too: a dearer place is not taken, and applying again agrees to it', async () => {
    const control = await dearer()
    const { waiting } = await control.workload({ project: 'default', name: 'llama-70b' })
    expect(waiting).toMatchObject({ code: 'PRICE_NOT_AGREED', text: expect.stringContaining('would be $11.00 now') })
    const { code, out, err, asked } = await apply('w.yaml', control, { answers: [''], firstId: 100 })
    expect(err).toBe('')
    expect(asked).toEqual(['Change llama-70b (1 added) for $11.00/h in all? [Y/n] '])
    expect(out).toContain('llama-70b waits because it would cost more than was agreed.')
    expect(code).toBe(EXIT.ok)
  })

  test('is sent by role with its tolerance', async () => {
    const control = emptyPlane()
    await apply('two.yaml --yes --price-tolerance 30%', control)
    const roles = [{ replicas: 2, usd_per_hour: 18.8, replica_usd_per_hour: 9.4 }]
    expect(control.applied).toMatchObject([{ agreed: { tolerance: 0.3, roles } }])
  })

  test('may be higher than the plan, and is refused when it is lower', async () => {
    const control = emptyPlane()
    const refused = await apply('w.yaml --yes --max-price 9', control)
    expect([refused.code, refused.err]).toEqual([EXIT.doesNotFit, expect.stringContaining('PRICE_TOO_HIGH')])
    await apply('w.yaml --yes --max-price 18.80', control)
    expect(control.applied).toMatchObject([{ agreed: { tolerance: 1 } }])
  })
})
