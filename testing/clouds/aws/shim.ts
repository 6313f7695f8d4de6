import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { CloudEngine, type FakeMachine } from '../engine.ts'
import type { FakeCall, Mishap } from '../fake-api.ts'
import { sendRaw, type PretendedCloud } from '../fake-cloud.ts'
import { LoopbackSockets } from '../sockets.ts'
import { createVm, gangIn, workIn } from '../vm.ts'
import { askMoto, type Moto } from './moto.ts'
import { PlacementGroups } from './placement.ts'
import { editInstances, fleetXml, refusalXml, spotPricesXml } from './xml.ts'

/** A request of the SDK. */
interface AwsRequest {
  readonly action: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Of EC2, whose requests are forms. */
  readonly form: URLSearchParams
}

interface AwsReply {
  readonly status: number
  readonly text: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A machine of moto's, and what runs on it. */
interface ShimMachine {
  readonly fake: FakeMachine
  readonly region: string
  readonly isSpot: boolean
  readonly zone: string
  /** Its placement group. */
  readonly group?: string
  /** When notice was given. */
  noticeMs?: number
  /** It was taken away. */
  isTaken?: boolean
}

/** What a call to Berth's providers comes down to here. */
const CALLS: Readonly<Record<string, FakeCall>> = {
  DescribeInstanceTypes: 'offers',
  CreateFleet: 'create',
  DescribeInstances: 'list',
  TerminateInstances: 'stop',
}

const SPOT_SHARE = 0.4

const QUOTAS = [
  { QuotaName: 'Running On-Demand G and VT instances', Value: 768 },
  { QuotaName: 'All G and VT Spot Instance Requests', Value: 64 },
]

/**
 * In front of moto: what it lacks. Tokens, capacity, quotas, prices, spot notices, addresses at which a machine answers, and all
 * that may go wrong on the way.
 */
export class AwsShim implements PretendedCloud {
  readonly engine: CloudEngine
  readonly referee = undefined
  readonly counts = new Map<FakeCall, number>()
  /** Every action that came, in order, and the form of the newest of each. */
  readonly actions: string[] = []
  readonly forms = new Map<string, URLSearchParams>()
  readonly machines = new Map<string, ShimMachine>()
  readonly groups = new PlacementGroups((name) =>
    [...this.machines.values()].some(({ fake, group }) => group === name && fake.removedMs === undefined),
  )
  /** The id of the key that is accepted. */
  key = 'AKIABERTH0123456789'
  /** Called before and after an action is carried out. */
  onAction: ((action: string, when: 'before' | 'after') => Promise<void> | void) | undefined
  readonly #moto: Moto
  readonly #sockets = new LoopbackSockets()
  readonly #nowMs: () => number
  readonly #mishaps = new Map<string, Mishap[]>()
  readonly #tokens = new Map<string, { readonly asked: string; readonly reply: Promise<AwsReply> }>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #server = createServer((request, response) => {
    const served = this.#serve(request, response).finally(() => this.#underWay.delete(served))
    this.#underWay.add(served)
  })
  #url = ''

  private constructor(moto: Moto, nowMs: () => number) {
    this.#moto = moto
    this.#nowMs = nowMs
    this.engine = new CloudEngine(nowMs, this.#sockets)
  }

  static async open(moto: Moto, nowMs: () => number): Promise<AwsShim> {
    const shim = new AwsShim(moto, nowMs)
    await new Promise<void>((resolve) => shim.#server.listen(0, '127.0.0.1', resolve))
    // Proven: a server that listens on a port has such an address.
    const { port } = shim.#server.address() as AddressInfo
    shim.#url = `http://127.0.0.1:${port}`
    shim.#sockets.mark = port
    return shim
  }

  get url(): string {
    return this.#url
  }

  next(call: FakeCall, ...mishaps: readonly Mishap[]): void {
    const action = Object.keys(CALLS).find((each) => CALLS[each] === call) ?? call
    this.nextOf(action, ...mishaps)
  }

  /** The next such actions go wrong, one after the other. */
  nextOf(action: string, ...mishaps: readonly Mishap[]): void {
    this.#mishaps.set(action, [...(this.#mishaps.get(action) ?? []), ...mishaps])
  }

  forget(): void {
    this.#mishaps.clear()
  }

  /** The two minutes' notice of a spot machine. */
  giveNotice(id: string): void {
    const machine = this.machines.get(id)
    if (machine !== undefined) machine.noticeMs = this.#nowMs()
  }

  /** A spot machine is taken away. */
  async take(id: string): Promise<void> {
    const machine = this.machines.get(id)
    if (machine === undefined) return
    machine.isTaken = true
    await this.ask('TerminateInstances', { 'InstanceId.1': id }, machine.region)
    this.engine.remove(machine.fake)
  }

  /** A question of the test itself, past everything here. */
  ask(action: string, form: Readonly<Record<string, string>> = {}, region = 'us-east-1'): Promise<string> {
    return askMoto(this.#moto.url, action, { ...form, region })
  }

  /** Whatever has come is carried out, even if nobody waits for it any more. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  async close(): Promise<void> {
    await this.settled()
    await this.engine.close()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(incoming)
    const form = new URLSearchParams(text)
    const target = incoming.headers['x-amz-target']
    const action = typeof target === 'string' ? (target.split('.').at(-1) ?? '') : (form.get('Action') ?? '')
    this.actions.push(action)
    this.forms.set(action, form)
    const call = CALLS[action]
    if (call !== undefined) this.counts.set(call, (this.counts.get(call) ?? 0) + 1)
    const mishap = this.#mishaps.get(action)?.shift()
    if (typeof mishap === 'object') return sendRaw(mishap, response)
    await this.onAction?.(action, 'before')
    const reply = await this.#replyTo({ action, headers: incoming.headers, text, form }, mishap)
    await this.onAction?.(action, 'after')
    if (reply === undefined) return void incoming.socket.destroy()
    response.writeHead(reply.status, { ...reply.headers, 'content-type': reply.type ?? 'text/xml' }).end(reply.text)
  }

  /** Undefined: the connection is cut. */
  async #replyTo(request: AwsRequest, mishap: Exclude<Mishap, object> | undefined): Promise<AwsReply | undefined> {
    const isKnown = request.headers.authorization?.includes(`Credential=${this.key}/`) === true
    if (!isKnown || mishap === 'expired')
      return refused(401, 'AuthFailure', 'AWS was not able to validate the provided access credentials')
    const limited = refused(503, 'RequestLimitExceeded', 'Request limit exceeded.')
    if (mishap === 'throttled') return { ...limited, headers: { 'retry-after': '3' } }
    if (mishap === 'throttled-silently') return limited
    const broken = refused(500, 'InternalError', 'An internal error has occurred')
    if (mishap === 'broken-before') return broken
    const reply = await this.#act(request)
    if (mishap === 'lost') return undefined
    return mishap === 'broken-after' ? broken : reply
  }

  async #act(request: AwsRequest): Promise<AwsReply> {
    const own: Readonly<Record<string, () => AwsReply | Promise<AwsReply>>> = {
      CreateFleet: () => this.#once(request, () => this.#fleet(request)),
      RunInstances: () => this.#once(request, () => this.#gang(request)),
      CreatePlacementGroup: () => this.groups.create(request.form),
      DeletePlacementGroup: () => this.groups.delete(request.form),
      DescribePlacementGroups: () => this.groups.described(),
      DescribeInstances: () => this.#described(request),
      TerminateInstances: () => this.#terminated(request),
      DescribeSpotPriceHistory: () => this.#spotPrices(request),
      DescribeSpotInstanceRequests: () => this.#spotRequests(request),
      GetProducts: () => this.#products(request),
      ListServiceQuotas: () => json({ Quotas: QUOTAS }),
    }
    return (await own[request.action]?.()) ?? this.#pass(request)
  }

  async #pass({ headers, text }: Pick<AwsRequest, 'headers' | 'text'>, body = text): Promise<AwsReply> {
    const { authorization = '', 'content-type': type = '' } = headers
    const reply = await fetch(this.#moto.url, {
      method: 'POST',
      headers: { authorization, 'content-type': type },
      body,
    })
    return { status: reply.status, text: await reply.text() }
  }

  /** The same token means the same order, and with other contents it is refused. */
  async #once(request: AwsRequest, act: () => Promise<AwsReply>): Promise<AwsReply> {
    const token = request.form.get('ClientToken') ?? ''
    const known = this.#tokens.get(token)
    if (known !== undefined && known.asked !== request.text)
      return refused(400, 'IdempotentParameterMismatch', 'The token was used with other parameters.')
    const reply = known?.reply ?? act()
    this.#tokens.set(token, { asked: request.text, reply })
    return reply
  }

  async #fleet(request: AwsRequest): Promise<AwsReply> {
    const { form } = request
    const override = 'LaunchTemplateConfigs.1.Overrides.1.'
    const config = 'LaunchTemplateConfigs.1.LaunchTemplateSpecification.'
    const type = form.get(`${override}InstanceType`) ?? ''
    const data = form.get(`${config}LaunchTemplateSpecificationUserData`) ?? ''
    const isSpot = form.get('TargetCapacitySpecification.DefaultTargetCapacityType') === 'spot'
    if (Buffer.from(data, 'base64').length > 16_384) return refused(400, 'InvalidUserData.Malformed', 'too large')
    const name = [...form].find(([, value]) => value.startsWith('berth-'))?.[1] ?? ''
    const work = workIn(gunzipSync(Buffer.from(data, 'base64')).toString('utf8'))
    const made = await createVm(this.engine, work, { name, shape: type, body: {} })
    if (typeof made === 'string') return REFUSALS[made]
    const passed = new URLSearchParams(form)
    for (const [key, value] of form) {
      if (key.endsWith('.ImageId') && value.startsWith('resolve:ssm:')) passed.set(key, this.#moto.image)
    }
    const reply = await this.#pass(request, passed.toString())
    const id = /<item>(i-[0-9a-f]+)<\/item>/.exec(reply.text)?.[1]
    if (id === undefined) this.engine.machines.splice(this.engine.machines.indexOf(made), 1)
    const zone = form.get(`${override}SubnetId`) ?? ''
    if (id !== undefined) this.machines.set(id, { fake: made, region: regionOf(request.headers), isSpot, zone })
    return reply
  }

  /** Machines of a gang: all of them or none. */
  async #gang(request: AwsRequest): Promise<AwsReply> {
    const { form } = request
    const { members } = gangIn(gunzipSync(Buffer.from(form.get('UserData') ?? '', 'base64')).toString('utf8'))
    const type = form.get('InstanceType') ?? ''
    const group = form.get('Placement.GroupName') ?? undefined
    if (group !== undefined && !this.groups.has(group)) return refused(400, 'InvalidPlacementGroup.Unknown', 'No.')
    const made: FakeMachine[] = []
    const takeBack = (): void =>
      void this.engine.machines.splice(this.engine.machines.length - made.length, made.length)
    for (const work of members) {
      const machine = await createVm(this.engine, work, { name: `berth-${made.length}`, shape: type, body: {} })
      if (typeof machine === 'string') {
        takeBack()
        return GANG_REFUSALS[machine]
      }
      made.push(machine)
    }
    const passed = new URLSearchParams(
      [...form].filter(([key]) => !/^(?:NetworkInterface|Placement|UserData)/.test(key)),
    )
    passed.set('ImageId', this.#moto.image)
    passed.set('SubnetId', form.get('SubnetId') ?? form.get('NetworkInterface.1.SubnetId') ?? '')
    const reply = await this.#pass(request, passed.toString())
    const ids = [...reply.text.matchAll(/<instanceId>(i-[0-9a-f]+)</g)].map(([, id = '']) => id)
    if (ids.length !== made.length) takeBack()
    const isSpot = form.get('InstanceMarketOptions.MarketType') === 'spot'
    const zone = passed.get('SubnetId') ?? ''
    const at = { region: regionOf(request.headers), isSpot, zone, ...(group !== undefined && { group }) }
    if (ids.length === made.length)
      for (const [index, id] of ids.entries()) {
        const fake = made[index]
        if (fake !== undefined) this.machines.set(id, { fake, ...at })
      }
    return reply
  }

  async #described(request: AwsRequest): Promise<AwsReply> {
    const nowMs = this.#nowMs()
    for (const [id, { fake, region }] of this.machines) {
      if (this.engine.stateOf(fake) === 'failed') await this.ask('TerminateInstances', { 'InstanceId.1': id }, region)
    }
    const reply = await this.#pass(request)
    const text = editInstances(reply.text, (id) => {
      const machine = this.machines.get(id)
      if (machine === undefined) return {}
      const { fake, isSpot, isTaken } = machine
      const isFailed = this.engine.stateOf(fake) === 'failed'
      return {
        isHidden: nowMs < fake.createdMs + this.engine.listLagMs,
        address: this.engine.stateOf(fake) === 'starting' ? '' : (fake.address ?? ''),
        ...(isSpot && { request: `sir-${id.slice(2)}` }),
        ...(isTaken === true && { reason: 'Server.SpotInstanceTermination' }),
        ...(isFailed && { reason: 'Server.InternalError' }),
      }
    })
    return { ...reply, text }
  }

  async #terminated(request: AwsRequest): Promise<AwsReply> {
    const reply = await this.#pass(request)
    if (reply.status !== 200) return reply
    for (const [, id] of request.form) {
      const machine = this.machines.get(id)
      if (machine !== undefined) this.engine.remove(machine.fake)
    }
    return reply
  }

  #spotPrices({ form }: AwsRequest): AwsReply {
    const types = [...form].filter(([key]) => key.startsWith('Filter.1.Value.')).map(([, value]) => value)
    const zones = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `us-east-1${letter}`)
    const price = (type: string): number => this.engine.priceOf(type) * SPOT_SHARE
    return {
      status: 200,
      text: spotPricesXml(types.flatMap((type) => zones.map((zone) => ({ type, zone, usd: price(type) })))),
    }
  }

  async #spotRequests(request: AwsRequest): Promise<AwsReply> {
    const items = [...this.machines].flatMap(([id, { isSpot, noticeMs, isTaken }]) => {
      if (!isSpot) return []
      const code =
        isTaken === true
          ? 'instance-terminated-no-capacity'
          : noticeMs === undefined
            ? 'fulfilled'
            : 'marked-for-termination'
      const at = new Date(noticeMs ?? this.#nowMs()).toISOString()
      return [
        `<item><spotInstanceRequestId>sir-${id.slice(2)}</spotInstanceRequestId><instanceId>${id}</instanceId><state>active</state><status><code>${code}</code><updateTime>${at}</updateTime></status></item>`,
      ]
    })
    const name = request.action
    return {
      status: 200,
      text: `<${name}Response><spotInstanceRequestSet>${items.join('')}</spotInstanceRequestSet></${name}Response>`,
    }
  }

  #products({ text }: AwsRequest): AwsReply {
    const { Filters }: { Filters: readonly { readonly Field: string; readonly Value: string }[] } = JSON.parse(text)
    const types = Filters.find(({ Field }) => Field === 'instanceType')?.Value.split(',') ?? []
    const products = types.map((instanceType) => ({
      product: { attributes: { instanceType } },
      terms: {
        OnDemand: {
          one: {
            priceDimensions: {
              one: { unit: 'Hrs', pricePerUnit: { USD: this.engine.priceOf(instanceType).toFixed(10) } },
            },
          },
        },
      },
    }))
    return json({ FormatVersion: 'aws_v1', PriceList: products.map((product) => JSON.stringify(product)) })
  }
}

const REFUSALS = {
  'sold-out': { status: 200, text: fleetXml('InsufficientInstanceCapacity') },
  quota: { status: 200, text: fleetXml('VcpuLimitExceeded') },
  'no-money': refused(400, 'Blocked', 'Your account is currently blocked. Contact the Support Center.'),
  wrong: refused(400, 'InvalidParameterValue', 'No.'),
} as const

const GANG_REFUSALS = {
  ...REFUSALS,
  'sold-out': refused(500, 'InsufficientInstanceCapacity', 'We currently do not have sufficient capacity.'),
  quota: refused(400, 'VcpuLimitExceeded', 'No.'),
} as const

function refused(status: number, code: string, message: string): AwsReply {
  return { status, text: refusalXml(code, message) }
}

function json(value: unknown): AwsReply {
  return { status: 200, text: JSON.stringify(value), type: 'application/x-amz-json-1.1' }
}

function regionOf({ authorization = '' }: IncomingHttpHeaders): string {
  return /Credential=[^/]+\/\d+\/([a-z0-9-]+)\//.exec(authorization)?.[1] ?? ''
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  // Proven: without an encoding, a request comes in buffers.
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
