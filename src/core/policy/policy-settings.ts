import { checkDocument } from '../document/check.ts'
import type { Checked } from '../document/check.ts'
import { sourced } from '../document/look-up.ts'
import { toPolicy } from './parse.ts'
import { OBJECTIVES } from './policy.ts'
import type { Policy } from './policy.ts'
import { policySchema } from './schema.ts'
import type { KnownNames } from './schema.ts'
import { valueDocument } from './value-document.ts'

/** A policy from its settings as under `policies.NAME` of an infrastructure file, or everything that is wrong with them. */
export function parsePolicy(
  name: string,
  settings: Readonly<Record<string, unknown>>,
  names: KnownNames,
): Checked<Policy> {
  const document = valueDocument(settings, `policy ${name}`)
  if (document === undefined) {
    const message = 'The settings of a policy are nested more than 32 deep.'
    return { problems: [{ code: 'YAML_TOO_DEEP', message, hint: 'A policy has lists and maps two deep at most.' }] }
  }
  const checked = checkDocument(policySchema(names), document)
  return 'value' in checked
    ? { value: toPolicy(name, checked.value) }
    : { problems: sourced(checked.problems, document) }
}

/** The settings that give this policy again. */
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

/** Whether it weighs as its objective does. */
function isOwnWeights({ objective, weights }: Policy): boolean {
  const own = OBJECTIVES[objective]
  const names = new Set([...Object.keys(own), ...Object.keys(weights)])
  return [...names].every((name) => own[name] === weights[name])
}
