import { checkDocument } from '../document/check.ts'
import type { Checked } from '../document/check.ts'
import { sourced } from '../document/look-up.ts'
import { toPolicy } from './parse.ts'
import { OBJECTIVES } from './policy.ts'
import type { Policy } from './policy.ts'
import { policySchema } from './schema.ts'
import type { KnownNames } from './schema.ts'
import { valueDocument } from './value-document.ts'

/** Reads the settings of a policy, as under `policies.NAME` of an infrastructure file, or returns all of their problems. */
export function parsePolicy(
  name: string,
  settings: Readonly<Record<string, unknown>>,
  names: KnownNames,
): Checked<Policy> {
  const document = valueDocument(settings, `policy ${name}`)
  if (document === undefined) {
    const message = 'The settings of this policy are nested more than 32 levels deep.'
    return {
      problems: [{ code: 'YAML_TOO_DEEP', message, hint: 'A policy needs at most two levels of lists and maps.' }],
    }
  }
  const checked = checkDocument(policySchema(names), document)
  return 'value' in checked
    ? { value: toPolicy(name, checked.value) }
    : { problems: sourced(checked.problems, document) }
}

/** The settings from which this policy can be read again. */
export function policySettings(policy: Policy): Readonly<Record<string, unknown>> {
  const { providersAllowed, providersDenied } = policy
  const lists = {
    ...(providersAllowed !== undefined && { allow: providersAllowed }),
    ...(providersDenied.length > 0 && { deny: providersDenied }),
  }
  return {
    objective: policy.objective,
    ...(!isOwnWeights(policy) && { weights: policy.weights }),
    spot: policy.spot,
    ...(policy.usdPerHourMax !== undefined && { max_usd_per_hour: policy.usdPerHourMax }),
    ...(policy.residency !== undefined && { residency: policy.residency }),
    ...(Object.keys(lists).length > 0 && { providers: lists }),
    ...(policy.trust !== undefined && { trust: policy.trust }),
    ...(policy.fallback.length > 0 && { fallback: policy.fallback }),
    unknown: { accept: policy.unknownAccepted },
  }
}

/** Whether its weights are those of its objective. */
function isOwnWeights({ objective, weights }: Policy): boolean {
  const own = OBJECTIVES[objective]
  const names = new Set([...Object.keys(own), ...Object.keys(weights)])
  return [...names].every((name) => own[name] === weights[name])
}
