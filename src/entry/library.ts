// The package as other programs use it: `import { connect, readManifest } from 'berth'`.
import { manifestFrom } from '../cli/inputs.ts'
import { httpBerth } from '../client/client.ts'
import { fetchFrom } from '../client/trusting.ts'
import type { Manifest } from '../core/manifest/manifest.ts'
import type { Berth } from '../ports/berth.ts'
import { Secret } from '../ports/secret.ts'
import { RANDOM, TIMERS } from './outside.ts'

export { VERSION } from '../api/version.ts'
export { UserError } from '../core/base/problem.ts'
export type { Problem, SourcedProblem } from '../core/base/problem.ts'
export { manifestJsonSchema } from '../core/manifest/json-schema.ts'
export type { Manifest } from '../core/manifest/manifest.ts'
export type { Berth } from '../ports/berth.ts'

/** Parses a manifest and fills in every default. Throws a UserError with every problem in the text, each with its place. */
export function readManifest(text: string, file = 'manifest'): Manifest {
  return manifestFrom({ text, file })
}

/** The address of a control plane, and the credentials for it. */
export interface ConnectOptions {
  /** `http://127.0.0.1:7700`. */
  readonly url: string
  /** May be left out only if the control plane was started with --dev. */
  readonly token?: string
  /** The only certificates, in PEM, trusted to sign for it; left out: those of the system. */
  readonly ca?: string
  /** How long one try of a request may take; by default a minute. */
  readonly timeoutMs?: number
}

/** A client of a control plane. Nothing is sent before the first call. */
export function connect({ url, token, ca, timeoutMs }: ConnectOptions): Berth {
  const address = url.replace(/\/+$/, '')
  return httpBerth({
    url: address,
    token: token === undefined ? undefined : new Secret(token),
    fetch: fetchFrom({ url: address, ...(ca !== undefined && { ca }) }),
    timers: TIMERS,
    random: RANDOM,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}
