import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { call } from '../../src/providers/contract/bench.suite.ts'
import { addNodes, type RigPod } from '../engines/fakes/pods.ts'
import type { RigObject } from '../engines/rig/api.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { ROOT } from '../house/files.ts'
import { depsAs, openOn } from './bench.ts'

// What deploy/kubernetes has is applied as its guide says, and comes up as far as fake nodes can bring it up.

const FOLDER = join(ROOT, 'deploy/kubernetes')
const SYSTEM = 'berth-system'
const SOON = { timeout: 60_000, interval: 200 }

let rig: Rig
beforeAll(async () => {
  rig = await startRig({ name: 'deploy' })
  await addNodes(rig.api, [{ name: 'one' }, { name: 'two' }])
  await rig.api.applyText(readFileSync(join(FOLDER, 'rbac.yaml'), 'utf8'))
  await rig.api.applyText(readFileSync(join(FOLDER, 'control-plane/namespace.yaml'), 'utf8'))
})
afterAll(() => rig.stop())

/** The objects of a folder, as kustomize makes them. */
function objectsIn(folder: string): readonly RigObject[] {
  const { code, said } = rig.kubectl(['kustomize', join(FOLDER, folder)])
  expect(code, said).toBe(0)
  return parseAllDocuments(said).map((document): RigObject => document.toJS())
}

test.each(['control-plane', 'postgres'])('%s is accepted, field by field', async (folder) => {
  const objects = objectsIn(folder)
  expect(objects.length).toBeGreaterThan(7)
  for (const object of objects.filter(({ kind }) => kind !== 'Namespace')) {
    const path = (await rig.api.pathOf(object)).replace(/\/[^/]*$/, '?dryRun=All&fieldValidation=Strict')
    await rig.api.ask({ method: 'POST', path, body: object })
  }
})

test('rbac.yaml is accepted, field by field', () => {
  const file = join(FOLDER, 'rbac.yaml')
  const { code, said } = rig.kubectl(['apply', '--server-side', '--force-conflicts', '--dry-run=server', '-f', file])
  expect(code, said).toBe(0)
})

test('all of it comes up under the restricted level, with its volumes', async () => {
  await rig.api.apply(...[0, 1, 2].map(volume), ...SECRETS)
  const { code, said } = rig.kubectl(['apply', '--validate=strict', '-k', join(FOLDER, 'postgres')])
  expect(code, said).toBe(0)
  expect(said).not.toMatch(/would violate PodSecurity/)
  await expect
    .poll(async () => {
      const pods = await rig.api.list<RigPod>(`/api/v1/namespaces/${SYSTEM}/pods`)
      return pods.filter(({ status }) => status.phase === 'Running').map(({ metadata }) => metadata.name)
    }, SOON)
    .toEqual(['berth-0', 'berth-1', 'postgres-0'])
})

test('its account may do all that the provider needs, and no more than the one that ships', async () => {
  const provider = await openOn(await depsAs(rig, 'berth', SYSTEM), { namespace: 'berth' })
  expect((await provider.check?.(call()))?.filter(({ ok }) => !ok)).toEqual([])
  await provider.close?.()
  const may = (verb: string, what: string, namespace: string): string => {
    const as = `system:serviceaccount:${SYSTEM}:berth`
    return rig.kubectl(['auth', 'can-i', verb, what, '--namespace', namespace, '--as', as]).said.trim()
  }
  expect(may('get', 'secrets', SYSTEM)).toBe('no')
  expect(may('create', 'pods', SYSTEM)).toBe('no')
  expect(may('get', 'secrets', 'berth')).toBe('no')
})

function volume(index: number): RigObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `disk-${index}` },
    spec: {
      capacity: { storage: '20Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: `/nowhere/${index}` },
    },
  }
}

/** What the guide says has to be there. Fake nodes never look inside. */
const SECRETS: readonly RigObject[] = [
  { name: 'berth-database', stringData: { url: 'postgres://berth:x@postgres:5432/berth', password: 'x' } },
  { name: 'berth-tls', stringData: { 'tls.crt': 'x', 'tls.key': 'x' } },
  { name: 'berth-vault', stringData: { 'vault.key': 'x' } },
].map(({ name, stringData }) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: SYSTEM },
  stringData,
}))
