import { answers, installResources, type EngineHost } from '../rig/host.ts'
import { portOf, programOf } from '../rig/place.ts'

/** The operator reaches Ray heads through the API server, because the names of Services mean nothing outside of a cluster. */
export async function bringUpKubeRay(host: EngineHost): Promise<void> {
  await installResources(host, 'kuberay')
  const at = (name: 'kuberay-metrics' | 'kuberay-health'): string => `127.0.0.1:${portOf(host.place, name)}`
  const argv = [
    `--metrics-addr=${at('kuberay-metrics')}`,
    `--health-probe-bind-address=${at('kuberay-health')}`,
    '--enable-leader-election=false',
    '--use-kubernetes-proxy',
  ]
  const program = programOf('kuberay-operator')
  await host.ensure({ name: 'kuberay-operator', program, argv, env: { KUBECONFIG: host.kubeconfig } })
  await host.until('KubeRay answers', () => answers(`http://${at('kuberay-health')}/readyz`))
}
