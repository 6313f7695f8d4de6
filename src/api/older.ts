/**
 * Version 1 of the API, for programs written for Berth 0.2: the same routes under `/v1`, with the names that these
 * programs read and write. Version 2 says everything in snake case. Version 1 has a few keys in camel case, which are
 * added beside the others in replies and accepted in requests. Nothing else differs, and new keys and routes are in both.
 */
export const OLDER_PREFIX = '/v1/'

/** The path of a route in version 1; undefined: it has no version in it, such as `/healthz`. */
export function olderPath(path: string): string | undefined {
  return path.startsWith('/v2/') ? path.replace('/v2/', OLDER_PREFIX) : undefined
}

/** Keys of version 2 that had another name in version 1. */
const OLDER_NAMES: Readonly<Record<string, string>> = {
  at_ms: 'atMs',
  since_ms: 'sinceMs',
  next_look_ms: 'nextLookMs',
  gpus_max: 'gpusMax',
  usd_per_hour_max: 'usdPerHourMax',
  workloads_max: 'workloadsMax',
  source_line: 'sourceLine',
}

/** What users write themselves is theirs to name. */
const OF_USERS: ReadonlySet<string> = new Set(['settings', 'labels', 'facts', 'set', 'ports', 'scores', 'refused'])

/** A reply with the keys of version 1 beside those of version 2. */
export function olderReply(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(olderReply)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inside]) => {
      const shown = OF_USERS.has(key) ? inside : olderReply(inside)
      const older = Object.hasOwn(OLDER_NAMES, key) ? OLDER_NAMES[key] : undefined
      return older === undefined
        ? [[key, shown]]
        : ([
            [key, shown],
            [older, shown],
          ] as const)
    }),
  )
}

/** Keys in the bodies of version 1, at any depth, and what they are called now. */
const NEWER_NAMES: Readonly<Record<string, string>> = {
  createProject: 'create_project',
  usdPerHour: 'usd_per_hour',
  gpusMax: 'gpus_max',
  usdPerHourMax: 'usd_per_hour_max',
  workloadsMax: 'workloads_max',
}

/** A body of version 1 under the names of version 2. A body that has both names keeps both, and is refused as unknown. */
export function newerBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(newerBody)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => {
      const newer = Object.hasOwn(NEWER_NAMES, key) ? NEWER_NAMES[key] : undefined
      const isFree = newer === undefined || Object.hasOwn(value, newer)
      return [isFree ? key : newer, OF_USERS.has(key) ? inside : newerBody(inside)] as const
    }),
  )
}
