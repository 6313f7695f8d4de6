import { many } from '../../base/words.ts'
import type { Held } from '../plan.ts'

/** What keeps replicas without a place, and what would help, in one line. */
export function heldText(held: Held): string {
  switch (held.code) {
    case 'QUOTA_PROJECT': {
      const { project, gpusMax, gpusUsed, gpusNeeded } = held
      const short = gpusUsed + gpusNeeded - gpusMax
      const ask = `ask an administrator: berth project set ${project} --gpus ${gpusUsed + gpusNeeded}`
      const help = gpusNeeded > gpusMax ? ask : `free ${short} or ${ask}`
      return `project ${project} may use ${many(gpusMax, 'GPU')} and uses ${gpusUsed}; this needs ${gpusNeeded}: ${help}`
    }
    case 'BUDGET_PROJECT': {
      const { project, usdPerHourMax, usdPerHourUsed, usdPerHourNeeded } = held
      const sum = usdPerHourUsed + usdPerHourNeeded
      const ask = `ask an administrator: berth project set ${project} --usd-per-hour ${Math.ceil(sum * 100) / 100}`
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

function usd(value: number): string {
  return `$${value.toFixed(2)}`
}
