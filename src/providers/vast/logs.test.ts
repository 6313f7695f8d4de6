import { expect, test } from 'vitest'
import type { Incoming, Network, Outgoing } from '../../ports/network.ts'
import { Secret } from '../../ports/secret.ts'
import { nodeNetwork } from '../rest/network.ts'
import { VastApi } from './api.ts'
import { readLog } from './logs.ts'
import { vastSettings } from './settings.ts'

const SETTINGS = vastSettings.parse({})
const CALL = { signal: new AbortController().signal, requestId: 'r' }

/** Vast says that the log is at this address; whatever is asked elsewhere goes to `rest`. */
function apart(result_url: unknown, rest: (outgoing: Outgoing) => Promise<Incoming>) {
  const sent: Outgoing[] = []
  const network: Network = {
    send: async (outgoing, bounds) => {
      if (outgoing.url.hostname === 'console.vast.ai')
        return { status: 200, headers: {}, text: JSON.stringify({ success: true, result_url }) }
      sent.push(outgoing)
      // The guard is that of the real network.
      return outgoing.url.hostname === 'files.example' ? rest(outgoing) : nodeNetwork.send(outgoing, bounds)
    },
  }
  const deps = { network, timers: { sleep: async () => undefined } }
  const api = new VastApi(SETTINGS, { credential: async () => new Secret('the-key'), network })
  return { sent, read: () => readLog(api, '7001', { settings: SETTINGS, deps, call: CALL }) }
}

const text = (status: number, body: string) => async (): Promise<Incoming> => ({ status, headers: {}, text: body })

test('the file of another host is read without the key', async () => {
  const { read, sent } = apart('https://files.example/a.log', text(200, 'one\r\ntwo\n\nfour'))
  expect((await read()).map((line) => line.text)).toEqual(['one', 'two', '', 'four'])
  expect(JSON.stringify(sent)).not.toContain('the-key')
})

test('a file that is not there yet is looked for again, and not for ever', async () => {
  let looks = 0
  const late = apart('https://files.example/a.log', async () => ({
    status: ++looks < 4 ? 403 : 200,
    headers: {},
    text: 'x',
  }))
  expect(await late.read()).toHaveLength(1)
  const never = apart('https://files.example/a.log', text(404, ''))
  await expect(never.read()).rejects.toThrow('did not write the log')
  expect(never.sent).toHaveLength(20)
})

test.each([
  ['http://169.254.169.254/latest/meta-data', 'https://'],
  ['https://169.254.169.254/latest/meta-data', 'not'],
  ['https://127.0.0.1:8443/', 'not'],
  ['https://[::1]/', 'not'],
  ['https://10.0.0.1/', 'not'],
  ['file:///etc/passwd', 'no address'],
  ['javascript:0', 'no address'],
  ['', 'no address'],
])('%s is not read', async (url, why) => {
  await expect(apart(url, text(200, 'secret')).read()).rejects.toThrow(why)
})

test('a redirect to another host is not followed', async () => {
  const { read } = apart('https://files.example/a.log', async () => ({
    status: 302,
    headers: { location: 'https://10.0.0.1/' },
    text: '',
  }))
  await expect(read()).rejects.toThrow('redirect')
})

test('what is no address of a log is told', async () => {
  await expect(apart(7, text(200, '')).read()).rejects.toThrow('Vast does not show the log of 7001')
})
