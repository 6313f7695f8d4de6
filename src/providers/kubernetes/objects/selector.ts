import type { DeviceMark } from '../nodes/fleet/view.ts'

// Selectors of devices, in CEL. A selector that fails on one device stops the scheduling of its pod on every node, so that nothing here
// may fail on a device that lacks what is asked for.

export function allOf(parts: readonly string[]): string {
  return parts.join(' && ')
}

export function madeBy(driver: string): string {
  return `device.driver == ${quoted(driver)}`
}

export function isOf({ attribute, value }: DeviceMark): string {
  return `${attributeOf(attribute, quoted(''))} == ${quoted(value)}`
}

/** Any device with one of these marks. */
export function anyOf(marks: readonly DeviceMark[]): string {
  const byAttribute = [...Map.groupBy(marks, ({ attribute }) => attribute)]
  const sets = byAttribute.map(
    ([attribute, same]) =>
      `${attributeOf(attribute, quoted(''))} in [${same.map(({ value }) => quoted(value)).join(', ')}]`,
  )
  return sets.length === 1 ? sets.join('') : `(${sets.join(' || ')})`
}

/** At least so much of a capacity. */
export function atLeast(domain: string, capacity: string, amount: string): string {
  const all = `device.capacity[${quoted(domain)}]`
  return `${quoted(capacity)} in ${all} && ${all}.${capacity}.compareTo(quantity(${quoted(amount)})) >= 0`
}

/** At least this version. Only for attributes that are versions. */
export function atLeastVersion({ attribute, value }: DeviceMark): string {
  return `${attributeOf(attribute, 'semver("0.0.0")')}.compareTo(semver(${quoted(value)})) >= 0`
}

function attributeOf(attribute: string, otherwise: string): string {
  const at = attribute.indexOf('/')
  return `device.attributes[${quoted(attribute.slice(0, at))}].?${attribute.slice(at + 1)}.orValue(${otherwise})`
}

/** CEL reads text as JSON writes it. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
