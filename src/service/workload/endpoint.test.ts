import { expect, test } from 'vitest'
import { ADMIN, service } from '../platform.suite.ts'
import { applyManifest, restartWorkload, scaleWorkload } from './workloads.ts'

const TEXT = 'berth: v1\nkind: service\nname: web\nimage: a\nports: [{ name: http, port: 80 }]\nresources: { cpu: 1 }\n'

test('every answer about a service has its address behind the gateway, an unchanged one too', async () => {
  const deps = { ...service(), gateway: 'http://127.0.0.1:7800' }
  const terms = { project: 'default', file: 'm', pinned: undefined, once: undefined, ifTag: undefined }
  const endpoint = 'http://127.0.0.1:7800/default/web/'
  for (const outcome of ['created', 'unchanged']) {
    const applied = await applyManifest(deps, ADMIN, { ...terms, text: TEXT })
    expect(applied).toMatchObject({ outcome, workload: { endpoint } })
  }
  const changed = await applyManifest(deps, ADMIN, { ...terms, text: TEXT.replace('cpu: 1', 'cpu: 2') })
  expect(changed).toMatchObject({ outcome: 'changed', workload: { endpoint } })
  const at = { project: 'default', name: 'web' }
  const asked = { at, once: undefined, ifTag: undefined }
  for (const replicas of [2, 2])
    expect(await scaleWorkload(deps, ADMIN, { ...asked, role: undefined, replicas })).toMatchObject({ endpoint })
  expect(await restartWorkload(deps, ADMIN, asked)).toMatchObject({ endpoint })
})
