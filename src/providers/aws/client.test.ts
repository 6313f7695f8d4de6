import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { Secret } from '../../ports/secret.ts'
import { AwsApi } from './api.ts'
import { fleetOf } from './launch.ts'
import { settingsOf, startOf } from './make.suite.ts'

const KEY = 'aws_access_key_id=AKIACANARY0123456789\naws_secret_access_key=canary/secret+0123456789abcdefghijklmnop'
const CALL = { signal: new AbortController().signal, requestId: 'r' }

/** What each call makes of a server that answers like this. */
async function against(listener: RequestListener, credential = KEY) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Proven: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  const settings = settingsOf({ endpoint: `http://127.0.0.1:${port}`, internal: true })
  const api = await AwsApi.open(settings, { credential: async () => new Secret(credential) })
  const fleet = fleetOf(startOf(), {
    template: 'lt-1',
    data: '',
    spot: { subnets: ['subnet-1'], arch: 'x86_64' },
    settings,
  })
  return {
    create: (call = CALL) => api.createFleet('us-east-1', fleet, call),
    list: () => api.instances('us-east-1', {}, CALL),
    stop: () => api.terminate('us-east-1', 'i-0123456789abcdef0', CALL),
    prices: () => api.prices('us-east-1', ['g6.xlarge'], CALL),
    close: () => {
      api.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

const answers =
  (status: number, text: string, type = 'text/xml'): RequestListener =>
  (request, response) => {
    request.resume()
    request.once('end', () => response.writeHead(status, { 'content-type': type }).end(text))
  }

const REFUSED =
  '<Response><Errors><Error><Code>InsufficientInstanceCapacity</Code><Message>No AKIACANARY0123456789.</Message></Error></Errors></Response>'

test.each([
  ['a page', 200, '<html><body>welcome</body></html>', 'text/html'],
  ['an empty reply', 200, '', 'text/xml'],
  ['JSON of something else', 200, '{"hello":1}', 'application/json'],
  ['half a reply', 200, '<CreateFleetResponse><fleetInstanceSet><item>', 'text/xml'],
  ['another reply', 200, '<DescribeVpcsResponse></DescribeVpcsResponse>', 'text/xml'],
  ['noise', 200, '\u0000\u0001<<<>>>', 'application/octet-stream'],
  ['a large one', 500, '<a>'.repeat(100_000), 'text/xml'],
  ['a page in the way', 502, REFUSED.replace('<Response>', '<html>'), 'text/html'],
])('%s is no answer: nothing is absent, nothing is sold out', async (_, status, text, type) => {
  const { create, list, stop, close } = await against(answers(status, text, type))
  const [made, listed, stopped] = [await create(), await list(), await stop()]
  close()
  expect(made).toMatchObject({ ok: false, fault: { class: expect.stringMatching(/^(?:AMBIGUOUS|TRANSIENT)$/) } })
  if (!made.ok && made.fault.class === 'TRANSIENT') expect(made.fault.created).toBe('maybe')
  expect(listed).toMatchObject({ ok: false, fault: { class: 'TRANSIENT' } })
  expect(stopped).toMatchObject({ ok: false, fault: { class: 'TRANSIENT' } })
})

test('a refusal is judged by its words, and the key is not in them', async () => {
  const { create, close } = await against(answers(500, REFUSED))
  const made = await create()
  close()
  expect(made).toMatchObject({ ok: false, fault: { class: 'SOLD_OUT', created: 'no' } })
  expect(JSON.stringify(made)).not.toContain('CANARY')
})

test('an order that was given up after it was sent may have been carried out', async () => {
  const control = new AbortController()
  const { create, close } = await against(() => control.abort())
  const made = await create({ ...CALL, signal: control.signal })
  close()
  expect(made).toMatchObject({ ok: false, fault: { class: 'AMBIGUOUS' } })
})

test('an order that nobody listens to was not carried out', async () => {
  const { create, close } = await against(answers(200, ''))
  close()
  expect(await create()).toMatchObject({ ok: false, fault: { class: 'TRANSIENT' } })
})

test('redirects are not followed', async () => {
  const { list, close } = await against(
    (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  )
  const listed = await list()
  close()
  expect(listed).toMatchObject({
    ok: false,
    fault: { class: 'TRANSIENT', message: expect.stringContaining('redirect') },
  })
})

test('a machine that is not there is stopped', async () => {
  const gone =
    '<Response><Errors><Error><Code>InvalidInstanceID.NotFound</Code><Message>The instance ID does not exist</Message></Error></Errors></Response>'
  const { stop, close } = await against(answers(400, gone))
  const stopped = await stop()
  close()
  expect(stopped).toEqual({ ok: true, value: undefined })
})
