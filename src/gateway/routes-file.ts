import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { addressIn, type ServiceRoute } from '../core/route/route.ts'
import { routeEntry } from '../api/schemas.ts'

/** The last known routes; none if there is no such file, or if it is damaged. */
export function readRoutes(file: string): readonly ServiceRoute[] {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!Array.isArray(kept)) return []
    return kept.flatMap((route: unknown) => {
      const read = routeEntry.safeParse({ kind: 'route', route })
      return read.success && read.data.kind === 'route' ? [read.data.route] : []
    })
  } catch {
    return []
  }
}

/** Replaces the file as a whole. False: it could not be written, and the old one is still there. */
export function writeRoutes(file: string, routes: readonly ServiceRoute[]): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.new`, JSON.stringify(routes), { mode: 0o600 })
    renameSync(`${file}.new`, file)
    return true
  } catch {
    return false
  }
}

/** The same route without replicas whose addresses cannot be read. */
export function readable(route: ServiceRoute): ServiceRoute {
  return { ...route, replicas: route.replicas.filter(({ address }) => addressIn(address) !== undefined) }
}
