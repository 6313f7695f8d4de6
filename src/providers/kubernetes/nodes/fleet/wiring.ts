import type { Layout } from '../../../../core/fleet/layout.ts'
import { pcieGbps } from '../../../../core/fleet/topology/rates.ts'
import { wire } from '../../../../core/fleet/topology/wire.ts'
import { CARDS_MAX } from '../../../../core/fleet/topology/card-mask.ts'
import type { GpuModel } from '../../../../core/hardware/gpu.ts'
import type { DeviceCard } from '../dra/device-cards.ts'
import { markOf } from '../dra/marks.ts'
import type { DeviceTie } from './view.ts'

/** How cards are wired, by the NUMA node and the PCIe root that devices publish; undefined: they publish neither. */
export function wiredBy(cards: readonly DeviceCard[], facts: GpuModel | undefined): Layout | undefined {
  const numa = cards.map((card) => numberOf(markOf(card, NUMA)?.value))
  const roots = cards.map((card) => markOf(card, ROOT)?.value)
  const isSwitched = areSwitched(cards, facts)
  const isKnown = [...numa, ...roots].some((value) => value !== undefined)
  if (cards.length < 2 || cards.length > CARDS_MAX || (!isKnown && !isSwitched)) return undefined
  const names = [...new Set(roots)].filter((root) => root !== undefined).toSorted()
  const speed = (one: number, two: number): number => {
    if (isSwitched) return (facts?.linkGbps ?? 0) / 2
    // Cards that NVLink joins in pairs or meshes: which ones, devices do not tell.
    if (facts?.link === 'nvlink') return 0
    if (roots[one] !== undefined && roots[one] === roots[two]) return pcieGbps('PIX', facts)
    if (numa[one] === undefined || numa[two] === undefined) return 0
    return pcieGbps(numa[one] === numa[two] ? 'NODE' : 'SYS', facts)
  }
  return wire({
    kind: isSwitched ? 'nvswitch' : 'pcie',
    cards: cards.length,
    gbps: speed,
    numa: (card) => numa[card],
    pcieSwitch: (card) => (roots[card] === undefined ? undefined : names.indexOf(roots[card])),
    nics: [],
  })
}

/** What near cards share, the nearest first. Behind a switch every card is as near as any other. */
export function tiesOf(cards: readonly DeviceCard[], facts: GpuModel | undefined): readonly DeviceTie[] {
  if (areSwitched(cards, facts)) return []
  return [ROOT, NUMA].flatMap((names) => {
    const marks = cards.map((card) => markOf(card, names))
    const attribute = marks.find((mark) => mark !== undefined)?.attribute
    if (attribute === undefined) return []
    return [{ attribute, values: marks.map((mark) => (mark?.attribute === attribute ? mark.value : undefined)) }]
  })
}

function areSwitched(cards: readonly DeviceCard[], facts: GpuModel | undefined): boolean {
  return facts?.link === 'nvlink' && cards.length >= (facts.switchFrom ?? Infinity)
}

const NUMA = ['resource.kubernetes.io/numaNode', 'numaNode', 'numa']
const ROOT = ['resource.kubernetes.io/pcieRoot', 'pcieRoot']

/** A card on a machine without NUMA says -1. */
function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}
