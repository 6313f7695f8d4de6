import {
  leftOf,
  NO_ASKS,
  NOTHING_KNOWN,
  servedOf,
  suppliesLike,
  type Accelerators,
  type Stocked,
} from '../accelerators.ts'
import { cardNamed } from '../card-by-name.ts'
import { cardOfVirtual } from './labels.ts'

/** Cards that only virtual machines can have: the resource is the name of the card in the list of PCI devices. */
export function machineCards(stocked: Stocked): Accelerators | undefined {
  const devices = suppliesLike(stocked, DEVICE).filter(({ resource }) => !NOT_CARDS.test(resource))
  if (devices.length === 0) return undefined
  const { served, barred } = servedOf(devices)
  const [first] = served.length === 0 ? devices : served
  const text = (first?.resource ?? '').slice('nvidia.com/'.length)
  const name = text.replace(CHIP, '').replace(/^gpu[-_.]/, '')
  const virtual = cardOfVirtual(name)
  const isVirtual = virtual !== undefined
  const named = cardNamed(virtual ?? name)
  const cards = isVirtual || named.facts === undefined || served.length !== 1 ? undefined : first?.total
  const isPassed =
    CHIP.test(text) ||
    PASSED.test(text) ||
    isVirtual ||
    [...stocked.node.capacity.keys()].some((key) => KUBEVIRT.test(key))
  return {
    ...NOTHING_KNOWN,
    vendor: 'nvidia',
    model: named.facts?.id,
    vramGib: isVirtual ? undefined : named.facts?.vramGib,
    arch: named.facts?.arch,
    cards,
    free: first !== undefined && leftOf(first) === 0 ? 0 : undefined,
    sharing: isVirtual ? 'vgpu' : cards === undefined ? undefined : 'none',
    barred: barred ?? (isPassed ? `only virtual machines can have ${first?.resource}` : undefined),
    asks: isPassed || cards === undefined ? NO_ASKS : { ...NO_ASKS, whole: first },
    why: [`status.capacity has ${first?.total} ${first?.resource}.`],
  }
}

const DEVICE = /^nvidia\.com\/[A-Za-z0-9][\w .-]*$/

/** Network cards and bookkeeping of the same maker. */
const NOT_CARDS =
  /^nvidia\.com\/(gpu(\.shared)?$|mig-|.*(hostdev|sriov|rdma|roce|mlnx|nic|cx\d|bf\d|connectx|bluefield|infiniband|_ib|switch|audio|usb|ucsi|priority|mem|cores).*)/i

/** `GA102GL_`, `TU104GL_`: the chip in front of the card's name. */
const CHIP = /^[A-Z]{2}\d{3}[A-Z]*_/

/** The name of every card that is handed to virtual machines, whatever its model. */
const PASSED = /^pgpu$/

const KUBEVIRT = /^devices\.kubevirt\.io\//
