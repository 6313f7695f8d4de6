import type { AskReport } from '../../core/place/explain/report.ts'
import {
  shortText,
  type BlockedReport,
  type HelpReport,
  type MoveReport,
  type NearestNodeReport,
  type TenantReport,
  type WaitReport,
} from '../../core/place/own/wait-report.ts'
import { cardsText, LEVELS } from './own.ts'
import { many } from '../../core/base/words.ts'

/** What keeps a workload out of suitable fleets, and what would make room in them. */
export function waitLines(ask: AskReport): readonly string[] {
  return (ask.waits ?? []).flatMap((wait, index) => [...(index === 0 ? [] : ['']), ...oneWait(wait, ask)])
}

function oneWait(wait: WaitReport, ask: AskReport): readonly string[] {
  const who = ask.role === undefined ? '' : `${ask.role}: `
  const head = ask.shortage === undefined ? `Why not on ${wait.fleet}:` : `What holds it up on ${wait.fleet}:`
  const rows = [
    ['Nearest', wait.nearest === undefined ? unknownText(ask) : nearestText(wait.nearest, ask)],
    ['Would help', helpsText(wait.helps, ask)],
    ['Would free it', freeingText(wait)],
  ]
  return [
    `${who}${head}`,
    ...rows.flatMap(([name = '', text]) => (text === undefined ? [] : [`  ${name.padEnd(13)}  ${text}`])),
  ]
}

function unknownText({ within }: AskReport): string {
  return `no node is known to be in a ${LEVELS[within ?? ''] ?? 'domain'}`
}

function nearestText({ domain, free, missing, blocked }: NearestNodeReport, ask: AskReport): string {
  const ways = blocked.slice(0, Math.max(missing, 1)).map(blockedText)
  const rest = missing - blocked.length
  const others = rest > 0 ? [`${many(rest, 'more node')} would be needed, but there are none`] : []
  if (ask.nodes === 1) return ways.length === 0 ? 'no node of it is ever suitable' : ways.join('; ')
  const where = domain.name === undefined ? 'the whole fleet' : `${LEVELS[domain.level]} ${domain.name}`
  const names = free.length === 0 || free.length > NAMES_SHOWN ? '' : ` (${free.join(', ')})`
  const room = `${where}: ${free.length} of ${many(ask.nodes, 'node')} free${names}`
  return [room, ...ways, ...others].join('; ')
}

const NAMES_SHOWN = 4

function blockedText({ node, tenants, short }: BlockedReport): string {
  const lack = short === undefined ? '' : `, ${shortText(short)} short`
  const running = tenants.filter(({ planned }) => !planned)
  if (running.length === 0) return `${plannedNames(tenants)} ${node}${lack}`
  const shown = running.slice(0, TENANTS_SHOWN).map(tenantText)
  const rest = running.length - shown.length
  return `on ${node} ${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}${lack}`
}

/** Planned tenants are named after their workload and a number: `train 0`. */
function plannedNames(tenants: readonly TenantReport[]): string {
  const names = [...new Set(tenants.map(({ name }) => name.replace(/ \d+$/, '')))]
  return names.length === 0 || names.length > TENANTS_SHOWN
    ? 'this plan fills'
    : `${names.join(' and ')} of this plan ${names.length === 1 ? 'fills' : 'fill'}`
}

const TENANTS_SHOWN = 3

function tenantText({ name, restart, may_move: mayMove, checkpoint_age_s: age }: TenantReport): string {
  if (restart === 'inference') return `${name} (inference, may move)`
  if (!mayMove || age === undefined) return `${name} (no checkpoint, stays)`
  return `${name} (training, checkpoint ${duration(age)} old, may move)`
}

function helpsText(helps: readonly HelpReport[], { nodes }: AskReport): string | undefined {
  const texts = helps.flatMap((help) => {
    switch (help.kind) {
      case 'wider':
        return [help.within === undefined ? 'no `topology.within` (fits now)' : `within: ${help.within} (fits now)`]
      case 'fewer':
        return help.nodes < nodes ? [`nodes: ${help.nodes} (fits now)`] : []
      case 'wait':
        return [`waiting for ${help.nodes.join(' and ')}`]
    }
  })
  return texts.length === 0 ? undefined : texts.join(' · ')
}

function freeingText({ would_free: freeing }: WaitReport): string | undefined {
  if (freeing === undefined) return undefined
  const shown = freeing.moves.slice(0, MOVES_SHOWN).map(moveText)
  const rest = freeing.moves.length - shown.length
  const lost = freeing.lost_gpu_seconds > 0 ? `, ${duration(freeing.lost_gpu_seconds)} of one card's work repeated` : ''
  const cost = `costs ${many(freeing.restarts, 'restart')}${lost}`
  return `${shown.join('; ')}${rest === 0 ? '' : ` and ${many(rest, 'more move')}`}; ${cost} (only proposed)`
}

const MOVES_SHOWN = 3

function moveText({ name, from, to, how }: MoveReport): string {
  const order = how === 'start-first' ? 'starting there first' : 'stopping here first'
  return `move ${name} from ${from.node} (${cardsText(from)}) to ${to.node} (${cardsText(to)}), ${order}`
}

/** `40 s`, `12 min`, `3 h`. */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
