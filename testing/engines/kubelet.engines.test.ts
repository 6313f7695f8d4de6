import { existsSync, globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PAGE, WEB_IMAGE } from './node/image.ts'
import { cgroupOf, NODE_NEEDS, REAL_NODE } from './node/kubelet.ts'
import { podOf, type RigPod } from './fakes/pods.ts'
import { useRig } from './rig.suite.ts'

const missing = NODE_NEEDS.filter(({ file }) => !existsSync(file))
if (missing.length > 0)
  console.log(`Skipped: a real node. To run these tests, too: ${missing.map(({ from }) => from).join(', ')}`)

describe.skipIf(missing.length > 0)('a real kubelet with containerd', () => {
  const rig = useRig({ name: 'kubelet', engines: ['kubelet'] })
  const soon = { timeout: 90_000, interval: 200 }
  const POD = '/api/v1/namespaces/default/pods/web'

  test('a service that asks for two cards answers, as the restricted level wants it', async () => {
    const { spec, ...pod } = podOf('web', { cards: 2, image: WEB_IMAGE })
    await rig().api.apply({ ...pod, spec: { ...Object(spec), ...RESTRICTED } })
    const isReady = async () =>
      (await rig().api.get<RigPod>(POD)).status.conditions?.find(({ type }) => type === 'Ready')?.status
    await expect.poll(isReady, soon).toBe('True')
    const { spec: bound, status } = await rig().api.get<RigPod>(POD)
    expect(bound.nodeName).toBe(REAL_NODE)
    expect(await (await fetch(`http://${status.podIP}:8000/`)).text()).toBe(`${PAGE}\n`)
  })

  test('programs beside it see which cards it was given', () => {
    const { code, said } = rig().kubectl(['exec', 'web', '--', 'env'])
    expect(said).toMatch(/^NVIDIA_VISIBLE_DEVICES=GPU-\d,GPU-\d$/m)
    expect(code).toBe(0)
    expect(rig().kubectl(['exec', 'web', '--', 'sh', '-c', 'exit 7']).code).toBe(7)
  })

  test('it leaves nothing behind', async () => {
    await rig().stop()
    expect(globSync(`/sys/fs/cgroup/{*/,}${cgroupOf(rig().place.ports)}`)).toEqual([])
    expect(existsSync(rig().place.folder)).toBe(false)
  })
})

/** Fake cards need little of a real machine. */
const RESTRICTED = {
  automountServiceAccountToken: false,
  securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    {
      name: 'main',
      image: WEB_IMAGE,
      imagePullPolicy: 'Never',
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      readinessProbe: { httpGet: { port: 8000, path: '/' }, periodSeconds: 1 },
      resources: { limits: { cpu: '100m', memory: '256Mi', 'nvidia.com/gpu': '2' } },
    },
  ],
}
