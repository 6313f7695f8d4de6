import {
  freeOf,
  freeOfParts,
  leftOf,
  NO_ASKS,
  NOTHING_KNOWN,
  PLAIN_CARDS_MAX,
  servedOf,
  suppliesLike,
  type Accelerators,
  type NodeVendor,
  type Stocked,
} from './accelerators.ts'
import { registeredCards } from './nvidia/registered.ts'

/** Accelerators of makers that the hardware table does not list, and of resources that nobody can place. */
export function readOtherMakers(stocked: Stocked): Accelerators | undefined {
  for (const [vendor, pattern] of MAKERS) {
    const found = readMaker(stocked, vendor, pattern)
    if (found !== undefined) return found
  }
  return readUnknown(stocked)
}

const MAKERS: readonly (readonly [NodeVendor, RegExp])[] = [
  ['huawei', /^huawei\.com\/(ascend|npu)/i],
  ['cambricon', /^cambricon\.com\/(v?mlu|real-mlu)/i],
  ['hygon', /^hygon\.com\/v?dcu/i],
  ['iluvatar', /^iluvatar\.(ai|com)\//i],
  ['moore-threads', /^mthreads\.com\/(v?gpu)/i],
  ['metax', /^metax-tech\.com\/(s?gpu)/i],
  ['enflame', /^enflame\.com\/(v?gcu)/i],
  ['kunlunxin', /^(kunlunxin|baidu)\.com\/(v?xpu|xpu)/i],
  ['biren', /^birentech\.com\/gpu/i],
  ['tenstorrent', /^tenstorrent\.com\//i],
  ['rebellions', /^rebellions\.ai\//i],
  ['furiosa', /^furiosa\.ai\//i],
  ['qualcomm', /^qualcomm\.com\/qaic/i],
]

/** Parts of a card: memory, cores, percentages, virtual cards and templates such as `Ascend310P-2c`. */
const PARTS =
  /(mem(ory)?|cores?|percent(age)?|smlu|vcore|vmemory|split)$|\/(v|s)(mlu|gpu|dcu|gcu|xpu)|-\d+c(\.|$)|-\d+core|share/i

function readMaker(stocked: Stocked, vendor: NodeVendor, pattern: RegExp): Accelerators | undefined {
  const supplies = suppliesLike(stocked, pattern)
  if (supplies.length === 0) return undefined
  const { served, barred } = servedOf(supplies)
  const whole = served.filter(({ resource }) => !PARTS.test(resource))
  const parts = served.filter(({ resource }) => PARTS.test(resource))
  const registered = registeredCards(stocked.node, /^hami\.io\/node-(.+-)?register/)
  const [only, ...others] = whole
  const isPlain = only !== undefined && others.length === 0 && parts.length === 0 && registered === undefined
  const cards = isPlain && only.total <= PLAIN_CARDS_MAX ? only.total : registered?.cards
  const isWhole = isPlain && cards !== undefined
  return {
    ...NOTHING_KNOWN,
    vendor,
    cards,
    free: isWhole
      ? freeOf(cards, only)
      : freeOfParts(registered?.hasSick === true ? undefined : cards, whole.length > 0 ? whole : served, served),
    sharing: isWhole ? 'none' : parts.length > 0 || registered !== undefined ? 'vgpu' : undefined,
    barred:
      barred ?? (registered?.isSick === true ? `every card in ${registered.annotation} is out of order` : undefined),
    asks: isWhole ? { ...NO_ASKS, whole: only } : NO_ASKS,
    why: [
      `${vendor}: status.capacity has ${served.map(({ resource, total }) => `${total} ${resource}`).join(' and ') || 'none'}.`,
      ...(registered?.cards === undefined ? [] : [`${registered.annotation} lists ${registered.cards}.`]),
      ...(cards === undefined ? ['How many cards that is, is not known.'] : []),
    ],
  }
}

/** A resource that is called a GPU, of an unknown plugin. */
function readUnknown(stocked: Stocked): Accelerators | undefined {
  const supplies = suppliesLike(stocked, UNKNOWN)
  const { served } = servedOf(supplies)
  const [first] = served
  if (first === undefined) return undefined
  const isWindows = first.resource === 'microsoft.com/directx'
  return {
    ...NOTHING_KNOWN,
    free: served.every((supply) => leftOf(supply) === 0) ? 0 : undefined,
    barred: isWindows ? 'microsoft.com/directx is for Windows only' : `nothing is known about ${first.resource}`,
    why: [`status.capacity has ${first.total} ${first.resource}.`],
  }
}

const UNKNOWN =
  /^microsoft\.com\/directx$|^(?!nvidia\.com\/|gpu\.intel\.com\/|amd\.com\/|habana\.ai\/)[^/]+\/(.*gpu|.*accelerator|mig-|\d+g\.\d+gb)/i

/** A resource of an unknown plugin that may give out the same cards once more, and of which pods hold or may hold some. */
export function rivalOf(stocked: Stocked): string | undefined {
  const rivals = suppliesLike(stocked, UNKNOWN).filter(({ resource }) => !isKnown(resource))
  return rivals.find(({ ready, used }) => ready !== 0 && used !== 0)?.resource
}

function isKnown(resource: string): boolean {
  return SHARES.test(resource) || MAKERS.some(([, pattern]) => pattern.test(resource))
}

/** Domains of schedulers whose shares are counted with the cards. */
const SHARES = /^(volcano\.sh|k8s\.amazonaws\.com|aliyun\.com|tke\.cloud\.tencent\.com|alpha\.kubernetes\.io)\//
