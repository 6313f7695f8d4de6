/** What a list says of a machine beyond what moto says. */
export interface InstanceEdit {
  /** It is not in the list yet. */
  readonly isHidden?: boolean
  readonly address?: string
  /** Its spot request. */
  readonly request?: string
  /** Why it ended. */
  readonly reason?: string
}

export function refusalXml(code: string, message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>1</RequestID></Response>`
}

/** A fleet without machines, and why. */
export function fleetXml(code: string): string {
  return `<CreateFleetResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>1</requestId><fleetId>fleet-1</fleetId><errorSet><item><lifecycle>on-demand</lifecycle><errorCode>${code}</errorCode><errorMessage>No.</errorMessage></item></errorSet><fleetInstanceSet/></CreateFleetResponse>`
}

export function spotPricesXml(
  prices: readonly { readonly type: string; readonly zone: string; readonly usd: number }[],
): string {
  const items = prices.map(
    ({ type, zone, usd }) =>
      `<item><instanceType>${type}</instanceType><productDescription>Linux/UNIX</productDescription><spotPrice>${usd.toFixed(6)}</spotPrice><timestamp>2026-01-01T00:00:00.000Z</timestamp><availabilityZone>${zone}</availabilityZone></item>`,
  )
  return `<DescribeSpotPriceHistoryResponse><spotPriceHistorySet>${items.join('')}</spotPriceHistorySet></DescribeSpotPriceHistoryResponse>`
}

/** Each machine of a list as moto writes it. */
const MACHINE = /<item><architecture>[\s\S]*?(?=<item><architecture>|<\/instancesSet>)/g

export function editInstances(text: string, edit: (id: string) => InstanceEdit): string {
  return text.replaceAll(MACHINE, (item) => edited(item, edit))
}

function edited(item: string, edit: (id: string) => InstanceEdit): string {
  const id = /<instanceId>(i-[0-9a-f]+)<\/instanceId>/.exec(item)?.[1] ?? ''
  const { isHidden = false, address, request, reason } = edit(id)
  if (isHidden) return ''
  const more = [
    address === undefined || address === '' ? '' : `<ipAddress>${address}</ipAddress>`,
    request === undefined ? '' : `<spotInstanceRequestId>${request}</spotInstanceRequestId>`,
  ].join('')
  // Addresses are those of this host.
  const plain = address === undefined ? item : item.replace(/<ipAddress>[^<]*<\/ipAddress>/, '')
  const told = plain.replace(`<instanceId>${id}</instanceId>`, (all) => `${all}${more}`)
  if (reason === undefined) return told
  return told.replace(
    /<stateReason>.*?<\/stateReason>/s,
    `<stateReason><code>${reason}</code><message>x</message></stateReason>`,
  )
}
