import { listAt, textAt } from '../object/json.ts'

/** Devices that claims have been given, by `driver/pool/device`, with the claim. */
export type Claimed = ReadonlyMap<string, string>

/** Who has which device. A claim is named `namespace/name`; one for administration only looks on. */
export function claimedDevices(claims: readonly unknown[]): Claimed {
  const claimed = new Map<string, string>()
  for (const claim of claims) {
    const name = `${textAt(claim, 'metadata', 'namespace') ?? 'default'}/${textAt(claim, 'metadata', 'name') ?? ''}`
    for (const result of listAt(claim, 'status', 'allocation', 'devices', 'results')) {
      const [driver, pool, device] = ['driver', 'pool', 'device'].map((key) => textAt(result, key))
      if (textAt(result, 'adminAccess') === 'true' || driver === undefined) continue
      claimed.set(`${driver}/${pool ?? ''}/${device ?? ''}`, name)
    }
  }
  return claimed
}

export function deviceKey(device: { readonly driver: string; readonly pool: string; readonly name: string }): string {
  return `${device.driver}/${device.pool}/${device.name}`
}
