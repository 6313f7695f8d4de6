import { readFileSync, statfsSync } from 'node:fs'
import { arch, availableParallelism, hostname, totalmem } from 'node:os'
import { cardNamed } from '../../formats/fleet-file/cards.ts'
import { familyOf, modelFacts } from '../../core/hardware/family.ts'
import type { GpuModel } from '../../core/hardware/gpu.ts'
import { resolveGpu } from '../../core/hardware/resolve.ts'
import type { FleetNode } from '../../core/fleet/fleet.ts'
import type { Layout } from '../../core/fleet/layout.ts'
import { layoutOf } from '../../core/fleet/topology/presets.ts'
import { readMatrix } from '../../core/fleet/topology/smi-matrix.ts'
import type { HostFacts } from '../../core/fleet/owned-fleet.ts'
import type { ProviderDeps } from '../../ports/provider.ts'
import { runProgram } from './command.ts'
import type { LocalSettings } from './settings.ts'
import { readSmi, SMI_ARGV, type SmiCard } from './smi.ts'

/** This host as Berth packs it. */
export interface LocalHost {
  readonly region: string
  readonly node: FleetNode
  readonly host: HostFacts
  /** The driver's name for each card, in the order of the node's cards. */
  readonly cards: readonly string[]
}

/** Inspects the host once. Declared values are used as they are. */
export async function findHost(settings: LocalSettings, deps: ProviderDeps): Promise<LocalHost> {
  const { cards, driver } = await findCards(settings, deps)
  const facts = factsOf(cards)
  const name = nameOf(hostname())
  return {
    region: settings.region ?? name,
    node: {
      id: name,
      model: facts?.id ?? cards[0]?.name,
      cpuMilli: Math.floor((settings.cpu ?? availableParallelism()) * 1000),
      memoryMib: Math.floor(settings.memoryGib === undefined ? memoryMib() : settings.memoryGib * 1024),
      diskMib: diskMib(deps.folder),
      cards: cards.map(() => ({ health: 'ok', parts: 'none' })),
      layout: facts === undefined ? undefined : await findLayout(facts, cards.length, settings),
      domains: { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined },
    },
    host: {
      hostArch: arch() === 'x64' ? 'amd64' : arch() === 'arm64' ? 'arm64' : undefined,
      driver,
      cuda: undefined,
      inbound: settings.inbound,
      volumeGib: undefined,
    },
    cards: cards.map(({ id }) => id),
  }
}

/** A card, and its driver's name for it. */
interface Card {
  readonly name: string
  readonly memoryMib: number | undefined
  readonly id: string
}

interface Found {
  readonly cards: readonly Card[]
  readonly driver: string | undefined
}

async function findCards({ gpus }: LocalSettings, { log }: ProviderDeps): Promise<Found> {
  if (gpus?.kind === 'cards') {
    const cards = gpus.models.map((name, index) => ({ name, memoryMib: undefined, id: String(index) }))
    return { cards: alike(cards, log), driver: undefined }
  }
  const { cards, unread } = readSmi(gpus === undefined ? await askSmi() : readFileSync(gpus.path, 'utf8'))
  for (const line of unread.slice(0, 3)) log.warn('nvidia-smi printed a line that is not a card', { line })
  const whole = cards.filter(({ mig }) => !mig)
  if (whole.length < cards.length) log.warn('cards in MIG mode are not used', { cards: cards.length - whole.length })
  return { cards: alike(whole.map(cardOf), log), driver: cards[0]?.driver }
}

function cardOf({ uuid, name, memoryMib }: SmiCard): Card {
  return { name, memoryMib, id: uuid }
}

/** A node has cards of one model: cards of other models than the first are ignored. */
function alike(cards: readonly Card[], log: ProviderDeps['log']): readonly Card[] {
  const same = cards.filter(({ name }) => name === cards[0]?.name)
  if (same.length < cards.length)
    log.warn('cards of a different model than the first are not used', { used: same.length })
  return same
}

/** Without a driver there are no cards; neither is an error. */
async function askSmi(): Promise<string> {
  const ran = await runProgram(SMI_ARGV, { signal: AbortSignal.timeout(SMI_MS) }).catch(() => undefined)
  return ran?.code === 0 ? ran.out : ''
}

const SMI_MS = 15_000

function factsOf([card, ...others]: readonly Card[]): GpuModel | undefined {
  if (card === undefined) return undefined
  const named = cardNamed(card.name, others.length + 1)
  if (card.memoryMib === undefined) return 'facts' in named ? named.facts : undefined
  const resolved = resolveGpu(card.name, { count: others.length + 1, vramMib: card.memoryMib })
  if (resolved.kind === 'gpu') return resolved.gpu
  return resolved.kind === 'ambiguous' ? modelFacts(familyOf(resolved.candidates) ?? '') : undefined
}

async function findLayout(facts: GpuModel, count: number, { gpus }: LocalSettings): Promise<Layout | undefined> {
  const certain = layoutOf(facts, count, undefined)
  if (count < 2 || gpus !== undefined) return certain
  const signal = AbortSignal.timeout(SMI_MS)
  const ran = await runProgram(['nvidia-smi', 'topo', '-m'], { signal }).catch(() => undefined)
  if (ran?.code !== 0) return certain
  const read = readMatrix(ran.out, facts)
  return read.kind === 'layout' && read.layout.cards === count ? read.layout : certain
}

/** Of the host, or our own limit where there is one. */
function memoryMib(): number {
  const limit = process.constrainedMemory()
  const bytes = limit > 0 && limit < totalmem() ? limit : totalmem()
  return bytes / 1024 / 1024
}

/** In steps, so that offers do not change with each log line. */
function diskMib(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return Math.floor((bavail * bsize) / DISK_STEP) * (DISK_STEP / 1024 / 1024)
  } catch {
    return undefined
  }
}

const DISK_STEP = 1024 ** 3

function nameOf(host: string): string {
  const name = host.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 63)
  return /^[A-Za-z0-9]/.test(name) ? name : 'localhost'
}
