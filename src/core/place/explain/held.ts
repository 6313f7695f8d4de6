import { many } from '../../base/words.ts'
import type { Held } from '../plan.ts'

/** What keeps replicas without a place, and what would help, in one line. */
export function heldText(held: Held): string {
  switch (held.code) {
    case 'QUOTA_PROJECT': {
      const { project, gpusMax, gpusUsed, gpusNeeded, isOfFile } = held
      const short = gpusUsed + gpusNeeded - gpusMax
      const all = gpusUsed + gpusNeeded
      const ask = raise(isOfFile ? `max_gpus: ${all}` : `berth project set ${project} --gpus ${all}`, held)
      const help = gpusNeeded > gpusMax ? ask : `free ${short} or ${ask}`
      return `project ${project} may use ${many(gpusMax, 'GPU')} and uses ${gpusUsed}; this needs ${gpusNeeded}: ${help}`
    }
    case 'BUDGET_PROJECT': {
      const { project, usdPerHourMax, usdPerHourUsed, usdPerHourNeeded, isOfFile } = held
      const sum = usdPerHourUsed + usdPerHourNeeded
      const all = Math.ceil(sum * 100) / 100
      const ask = raise(
        isOfFile ? `max_usd_per_hour: ${all}` : `berth project set ${project} --usd-per-hour ${all}`,
        held,
      )
      const help = usdPerHourNeeded > usdPerHourMax ? ask : `stop work of ${usd(sum - usdPerHourMax)} an hour or ${ask}`
      return `project ${project} may spend ${usd(usdPerHourMax)} an hour and spends ${usd(usdPerHourUsed)}; this costs ${usd(usdPerHourNeeded)}: ${help}`
    }
    case 'PRICE_NOT_AGREED': {
      const { role, of, replicas, agreedUsd, nowUsd, tolerance } = held
      const what = of === 'replica' || replicas === 1 ? 'a replica' : many(replicas, 'replica')
      const which = role === undefined ? '' : ` of ${role}`
      const more = Math.round(tolerance * 1000) / 10
      return `${usd(agreedUsd)} an hour (and ${more}% more) was agreed for ${what}${which}, and it would be ${usd(nowUsd)} now: apply it again to agree`
    }
  }
}

/** What an administrator can do. A project of the infrastructure file can be changed only there. */
function raise(how: string, { isOfFile, project }: { readonly isOfFile?: true; readonly project: string }): string {
  return isOfFile
    ? `ask an administrator to set ${how} for the project ${project} in the infrastructure file`
    : `ask an administrator: ${how}`
}

function usd(value: number): string {
  return `$${value.toFixed(2)}`
}
