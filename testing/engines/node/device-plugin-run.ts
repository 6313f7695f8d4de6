import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { call, field, fieldsIn, serve } from './grpc.ts'

// A device plugin of cards that do not exist, for a kubelet that does: node device-plugin-run.ts FOLDER CARDS
// The container is told which cards it got by the variable that NVIDIA's plugin uses.

const [folder = '', cards = '8'] = process.argv.slice(2)
const SOCKET = 'berth.sock'
const SERVICE = '/v1beta1.DevicePlugin'

const devices = Array.from({ length: Number(cards) }, (_, card) =>
  field(1, Buffer.concat([field(1, `GPU-${card}`), field(2, 'Healthy')])),
)

rmSync(join(folder, SOCKET), { force: true })
serve(join(folder, SOCKET), {
  [`${SERVICE}/GetDevicePluginOptions`]: (_, reply) => {
    reply.send(Buffer.alloc(0))
    reply.end()
  },
  [`${SERVICE}/ListAndWatch`]: (_, reply) => reply.send(Buffer.concat(devices)),
  [`${SERVICE}/Allocate`]: (request, reply) => {
    reply.send(Buffer.concat(fieldsIn(request, 1).map((container) => field(1, field(1, visible(container))))))
    reply.end()
  },
})
const registered = [field(1, 'v1beta1'), field(2, SOCKET), field(3, 'nvidia.com/gpu')]
await call(join(folder, 'kubelet.sock'), '/v1beta1.Registration/Register', Buffer.concat(registered))
console.log(`registered ${cards} cards`)

/** An entry of the container's environment. */
function visible(container: Buffer): Buffer {
  const ids = fieldsIn(container, 1).map(String).toSorted()
  return Buffer.concat([field(1, 'NVIDIA_VISIBLE_DEVICES'), field(2, ids.join(','))])
}
