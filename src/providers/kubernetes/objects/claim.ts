import type { CardDevice, DeviceMark } from '../nodes/fleet/view.ts'
import type { KubernetesSettings } from '../settings.ts'
import { allOf, anyOf, atLeast, atLeastVersion, isOf, madeBy } from './selector.ts'
import type { DeviceChoice } from './devices.ts'

/** The name of the claim within its pod. */
export const CARDS = 'cards'

/**
 * What a claim says to get the devices of a choice. Where Berth picks, it names them, and the scheduler checks that they are free
 * and well. Where the cluster picks, it describes them: cards of that model that are as near to each other as those that were chosen.
 */
export function claimSpec(choice: DeviceChoice, { pick }: Pick<KubernetesSettings, 'pick'>): object {
  const { near, profile, version } = choice
  const requests = pick === 'berth' ? pinned(choice) : described(choice)
  const isHeldTogether = pick === 'cluster' && profile === undefined && near !== undefined
  const constraints = [{ requests: requests.map(({ name }) => name), matchAttribute: near }]
  return {
    devices: {
      requests: requests.map((request) => written(request, version)),
      ...(isHeldTogether && { constraints }),
    },
  }
}

interface DeviceRequest {
  readonly name: string
  readonly deviceClassName: string
  readonly count: number
  readonly expression: string
}

function pinned({ cards, profile, isAny, count }: DeviceChoice): readonly DeviceRequest[] {
  const [first] = cards
  if (first === undefined) return []
  if (profile === undefined) {
    const expression = allOf([madeBy(first.driver), anyOf(cards.flatMap(({ mark }) => mark ?? []))])
    return [{ name: CARDS, deviceClassName: classOf(first, profile), count, expression }]
  }
  if (isAny) return [sliceOf(first, { name: CARDS, profile, count, marks: [] })]
  // One request for each card: a single one for all could be met by two slices of the same card.
  return cards.map((card, index) => {
    const name = cards.length === 1 ? CARDS : `${CARDS}-${index}`
    return sliceOf(card, { name, profile, count: 1, marks: card.ofParts === undefined ? [] : [card.ofParts] })
  })
}

interface SliceWanted {
  readonly name: string
  readonly profile: string
  readonly count: number
  readonly marks: readonly DeviceMark[]
}

function sliceOf(card: CardDevice, { name, profile, count, marks }: SliceWanted): DeviceRequest {
  const slice = { attribute: `${card.driver}/profile`, value: profile }
  const expression = allOf([madeBy(card.driver), isOf(slice), ...marks.map(isOf)])
  return { name, deviceClassName: classOf(card, profile), count, expression }
}

/** Like the first card; the node it comes from is one among others. */
function described({ cards, profile, count }: DeviceChoice): readonly DeviceRequest[] {
  const [first] = cards
  if (first === undefined) return []
  const { driver, product, memoryMib, driverVersion } = first
  const slice = profile === undefined ? [] : [isOf({ attribute: `${driver}/profile`, value: profile })]
  const size =
    profile !== undefined || memoryMib === undefined ? [] : [atLeast(driver, 'memory', `${Math.floor(memoryMib)}Mi`)]
  const known = product === undefined ? [] : [isOf(product)]
  const recent = driverVersion === undefined ? [] : [atLeastVersion(driverVersion)]
  const expression = allOf([madeBy(driver), ...known, ...slice, ...size, ...recent])
  return [{ name: CARDS, deviceClassName: classOf(first, profile), count, expression }]
}

/** Drivers install a class of their own name for whole cards; NVIDIA's has another one for slices. */
function classOf({ driver }: CardDevice, profile: string | undefined): string {
  return profile === undefined ? driver : driver.replace(/^gpu\./, 'mig.')
}

/** The first version of the API had the parts of a request one level further up. */
function written({ name, deviceClassName, count, expression }: DeviceRequest, version: string): object {
  const exactly = { deviceClassName, selectors: [{ cel: { expression } }], allocationMode: 'ExactCount', count }
  return version === 'v1beta1' ? { name, ...exactly } : { name, exactly }
}
