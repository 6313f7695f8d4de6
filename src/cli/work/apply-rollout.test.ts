import { expect, test } from 'vitest'
import { emptyPlane, jobOf, planeOf } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, words, type Ran, type World } from '../harness.suite.ts'

function apply(line: string, control = emptyPlane(), world: World = {}): Promise<Ran> {
  const files = { 'w.yaml': MANIFEST }
  return berth(['apply', ...words(line)], { files, control: () => control, ...world })
}

const OLD = MANIFEST.replace('name: llama-70b', 'name: web') + 'replicas: 2\n'
const OTHER = OLD.replace('vllm:0.22', 'vllm:0.23')

/** A change of two replicas that serve. */
function change(text: string, timeout: string): Promise<Ran> {
  return apply(`web.yaml --yes --timeout ${timeout}`, planeOf([OLD], 60), { files: { 'web.yaml': text } })
}

test('a roll-out is done only when every replica runs the new version', async () => {
  const half = await change(OTHER, '15s')
  expect([half.code, half.out]).toEqual([EXIT.notDone, expect.not.stringContaining('is up')])
  expect(half.out).toContain('  -  1 of 2 on the new version\n')
  expect(half.out).toContain('web is not up after 15 s: serving, rolling out (1 of 2). Berth keeps trying.\n')
  const whole = await change(OTHER, '10m')
  expect([whole.code, whole.out]).toEqual([EXIT.ok, expect.stringContaining('web is up at')])
})

test('machines of a gang are not called replicas', async () => {
  const { out } = await apply('w.yaml --yes', emptyPlane(), {
    files: { 'w.yaml': jobOf({ seconds: 600, more: 'nodes: 2\n' }) },
  })
  expect(out).toContain('(2 of 2 machines')
})

test('a replica that has been replaced is still called a replica', async () => {
  const { out } = await change(OTHER, '10m')
  expect(out).toMatch(/web is up at .* \(2 of 2 replicas, /)
})

test('a roll-out that stalls ends it at once, with the cause and the way back', async () => {
  const { code, out } = await change(`${OTHER}env: { SIM_REFUSE: there is no such image }\n`, '10m')
  expect(code).toBe(EXIT.notDone)
  expect(out).toMatch(
    /The roll-out of web has stalled: .*there is no such image.* 2 of 2 stay on the previous version\.\n/,
  )
  expect(out).toContain('Go back with: berth rollback web\n')
})

test('a roll-out that fails names the cause at once, in its progress, at its end and in lists', async () => {
  const control = planeOf([OLD], 60)
  const files = { 'web.yaml': `${OTHER}env: { SIM_REFUSE: there is no such image }\n` }
  const { out } = await apply('web.yaml --yes --timeout 4s', control, { files })
  expect(out).toMatch(/\n {2}- {2}.*there is no such image/)
  expect(out).toMatch(
    /web is not up after 4 s: serving, rolling out \(0 of 2\): .*there is no such image.*keeps trying/,
  )
  const ps = await berth(['ps'], { control: () => control })
  expect(ps.out).toMatch(/serving, rolling out \(0 of 2\): .*there is no such image/)
})

test('what does not become ready says which slot, for how long and where, and counts no restart of before', async () => {
  const text = `${MANIFEST}ports: [{ name: http, port: 80, health: /health }]\nenv: { SIM_START: badly }\n`
  const { code, out } = await apply('w.yaml --yes --timeout 40s', emptyPlane(), { files: { 'w.yaml': text } })
  expect(code).toBe(EXIT.notDone)
  expect(out).toMatch(/starting: slot 0 has not been ready for \d+ s: \/health fails\. Berth keeps trying\.\n/)
})
