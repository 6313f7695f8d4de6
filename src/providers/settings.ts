import type * as z from 'zod'
import { nearest } from '../core/document/nearest.ts'
import type { ProviderKind } from '../ports/provider.ts'
import type { Secret } from '../ports/secret.ts'

/** A setting that is wrong: where it is, and what it must be. */
export interface SettingProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

export type SettingsRead =
  | { readonly ok: true; readonly settings: unknown }
  | { readonly ok: false; readonly problems: readonly SettingProblem[] }

/** What a kind makes of settings as users write them, or everything that is wrong with them. */
export function readSettings({ settings: schema }: Pick<ProviderKind, 'settings'>, written: unknown): SettingsRead {
  const read = schema.safeParse(written)
  if (read.success) return { ok: true, settings: read.data }
  return { ok: false, problems: read.error.issues.flatMap((issue) => problemsIn(issue, keysOf(schema))) }
}

/** `faults.lots: there is no such fault` */
export function problemText({ path, message }: SettingProblem): string {
  const at = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return at === '' ? message : `${at.replace(/^\./, '')}: ${message}`
}

/** `there is no such setting; did you mean runtime?`, or which there are. */
export function unknownText(key: string, what: string, known: readonly string[]): string {
  const near = nearest(key, known)
  const how = near === undefined ? `the ${what}s are ${known.join(', ')}` : `did you mean ${near}?`
  return `there is no such ${what}; ${how}`
}

/** What is wrong with a credential, without its value; undefined: nothing. */
export function credentialProblem(
  { credential: schema, needsCredential }: Pick<ProviderKind, 'credential' | 'needsCredential'>,
  credential: Secret | undefined,
  settings?: unknown,
): string | undefined {
  if (schema === undefined || needsCredential?.(settings) === false) return undefined
  if (credential === undefined)
    return 'credential: it is missing; set it with berth secret set NAME --platform and name it'
  const read = schema.safeParse(credential.reveal())
  return read.success ? undefined : `credential: ${read.error.issues[0]?.message ?? 'it has another form'}`
}

function problemsIn(issue: z.core.$ZodIssue, known: readonly string[]): readonly SettingProblem[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol')
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
  return issue.keys.map((key) => ({ path: [...path, key], message: unknownText(key, 'setting', known) }))
}

/** The keys that a schema knows, whatever it makes of them. */
function keysOf(schema: z.ZodType): readonly string[] {
  const inner: unknown = 'in' in schema ? schema.in : schema
  const shape: unknown = typeof inner === 'object' && inner !== null && 'shape' in inner ? inner.shape : {}
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : []
}
