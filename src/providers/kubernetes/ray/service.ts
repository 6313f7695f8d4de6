import type { Order } from '../../../core/life/call/order.ts'
import { serveTarget, type ServeTarget } from '../../../core/manifest/serve-command.ts'
import { FINALIZER } from '../names.ts'
import type { KubeObject } from '../objects/object.ts'
import { rayClusterSpec, rayMetadata, type RayOrders } from './cluster.ts'
import { RAY_GROUP } from './kinds.ts'

/** By this name of a port KubeRay finds where Ray Serve answers. */
const SERVE = 'serve'
const SERVE_PORT = 8000

/** What the command of an order has Ray Serve run; undefined: nothing that a RayService could run. */
export function serveTargetOf({ command, args }: Pick<Order, 'command' | 'args'>): ServeTarget | undefined {
  return serveTarget([...command, ...args])
}

/** A replica of a service as a Ray cluster of its nodes on which Ray Serve runs the application of the command. */
export function rayServiceFor(
  orders: RayOrders,
  pods: readonly KubeObject[],
  { version, target }: { readonly version: string; readonly target: ServeTarget },
): KubeObject {
  const [{ ports }] = orders
  const port = ports[0]?.port ?? SERVE_PORT
  const metadata = rayMetadata(orders, pods)
  return {
    apiVersion: `${RAY_GROUP}/${version}`,
    kind: 'RayService',
    // KubeRay takes the cluster away when it is deleted, and the name stays taken.
    metadata: { ...metadata, finalizers: [FINALIZER] },
    spec: {
      serveConfigV2: configOf(metadata.name, target, port),
      // One version follows another by attempts, which Berth counts and places.
      upgradeStrategy: { type: 'None' },
      rayClusterConfig: rayClusterSpec(orders, pods, { [SERVE]: port }),
    },
  }
}

/** JSON is YAML. The application has the name of the object, so that no other one can be taken for it. */
function configOf(name: string, { importPath, routePrefix, args }: ServeTarget, port: number): string {
  const application = {
    name,
    import_path: importPath,
    route_prefix: routePrefix,
    ...(Object.keys(args).length > 0 && { args }),
  }
  const config = {
    proxy_location: 'EveryNode',
    http_options: { host: '0.0.0.0', port },
    applications: [application],
  }
  return JSON.stringify(config)
}
