import type { CardDevice, ClaimAsk, DeviceMark } from '../fleet/view.ts'
import type { DeviceCard } from './device-cards.ts'
import type { SliceDevice } from './slice-devices.ts'

/** The first of these attributes that a card has, by the name that claims know it by. */
export function markOf({ whole, parts }: DeviceCard, names: readonly string[]): DeviceMark | undefined {
  return markIn(whole ?? parts[0], names)
}

/** Cards in the words of selectors. */
export function cardDevices(cards: readonly DeviceCard[]): readonly CardDevice[] {
  const [marks, ofParts] = [
    tellingOf(
      cards.map(({ whole }) => whole),
      OWN,
    ),
    tellingOf(
      cards.map(({ parts }) => parts[0]),
      PARENT,
    ),
  ]
  return cards.flatMap((card, index): readonly CardDevice[] => {
    const device = card.whole ?? card.parts[0]
    if (device === undefined) return []
    const version = markIn(device, ['driverVersion'])
    return [
      {
        driver: device.driver,
        pool: device.pool,
        device: device.name,
        mark: marks[index],
        ofParts: ofParts[index],
        product: markIn(device, ['productName']),
        memoryMib: card.whole?.memoryMib,
        driverVersion: device.versions.has('driverVersion') ? version : undefined,
        parts: card.parts.map(({ name, attributes }) => ({ device: name, profile: attributes.get('profile') })),
      },
    ]
  })
}

/** Whether a claim can name every card that the engine may choose. */
export function canBeNamed({ cards, form }: Pick<ClaimAsk, 'cards' | 'form'>): boolean {
  switch (form) {
    case 'whole':
      return cards.every(({ mark }) => mark !== undefined)
    case 'cuttable':
      return cards.every(
        ({ mark, ofParts, parts }) => mark !== undefined && (parts.length === 0 || ofParts !== undefined),
      )
    case 'cut':
      return true
  }
}

const PCI = [
  'resource.kubernetes.io/pciBusID',
  'resource.kubernetes.io/pciAddress',
  'pciBusID',
  'pcieBusID',
  'pciAddr',
  'pciAddress',
]
const OWN = ['uuid', 'UUID', 'uid', 'serial', ...PCI]
const PARENT = ['parentUUID', 'parentUuid', 'parentUID', 'parentPciAddr', ...PCI]

/** The mark of each device, if no two have the same: what does not tell them apart marks none of them. */
function tellingOf(
  devices: readonly (SliceDevice | undefined)[],
  names: readonly string[],
): readonly (DeviceMark | undefined)[] {
  const marks = devices.map((device) => markIn(device, names))
  const values = marks.flatMap((mark) => (mark === undefined ? [] : [`${mark.attribute} ${mark.value}`]))
  return new Set(values).size === values.length ? marks : marks.map(() => undefined)
}

function markIn(device: SliceDevice | undefined, names: readonly string[]): DeviceMark | undefined {
  for (const name of names) {
    const value = device?.attributes.get(name)
    if (device === undefined || value === undefined) continue
    return { attribute: name.includes('/') ? name : `${device.driver}/${name}`, value }
  }
  return undefined
}
