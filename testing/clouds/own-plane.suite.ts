import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Berth } from '../../src/ports/berth.ts'
import { RealPlane, until } from '../plane/plane.ts'

/** The only provider of a control plane. */
export interface OnlyProvider {
  readonly kind: string
  readonly settings: Readonly<Record<string, unknown>>
  /** Text of its credential; left out: it has none. */
  readonly key?: string
}

/** What is asked for again and again. */
interface Asked {
  readonly client: Berth
  readonly name: string
}

const KEY = 'PROVIDER_KEY'
const UNKNOWN = { accept: ['driver', 'cuda', 'disk', 'storage', 'network', 'health', 'stock', 'quota'] }

/**
 * Applies a manifest at a real control plane in a process of its own, which has one provider, and looks until something is found. The
 * control plane is killed after that.
 */
export async function appliedAt<T>(
  text: string,
  at: { readonly provider: OnlyProvider; readonly folder: string; readonly withinMs: number },
  look: (asked: Asked) => Promise<{ readonly found: T } | string>,
): Promise<T> {
  const { provider, folder, withinMs } = at
  const { kind, settings, key } = provider
  const plane = new RealPlane({ folder: join(folder, 'data'), config: join(folder, 'berth.json') })
  writeFileSync(
    join(folder, 'berth.json'),
    JSON.stringify({
      berth: 'v1',
      kind: 'config',
      providers: { only: { kind, settings, ...(key !== undefined && { credential: KEY }) } },
      policies: { default: { objective: 'cheapest', unknown: UNKNOWN } },
      default_policy: 'default',
    }),
  )
  try {
    await plane.start()
    const client = plane.client({ tries: 'several', timeoutMs: 20_000 })
    if (key !== undefined) await client.setPlatformSecret({ name: KEY, value: key })
    const { workload } = await client.apply({ project: 'default', text, file: 'work.yaml', idempotencyKey: 'one' })
    const { name } = workload
    return await until(`${name} is as it should be`, { withinMs }, () => look({ client, name }))
  } finally {
    await plane.kill()
  }
}
