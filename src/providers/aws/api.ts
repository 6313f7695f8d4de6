import type {
  CreateFleetCommandInput,
  CreateFleetCommandOutput,
  CreateLaunchTemplateCommandInput,
  CreatePlacementGroupCommandInput,
  EC2Client,
  Filter,
  Instance,
  InstanceTypeInfo,
  InstanceTypeOffering,
  LaunchTemplate,
  PlacementGroup,
  RunInstancesCommandInput,
  RunInstancesCommandOutput,
  SecurityGroup,
  SpotInstanceRequest,
  SpotPrice,
  Subnet,
  Tag,
} from '@aws-sdk/client-ec2'
import type { PricingClient } from '@aws-sdk/client-pricing'
import type { ServiceQuotasClient } from '@aws-sdk/client-service-quotas'
import type { Answer, Call, ProviderDeps } from '../../ports/provider.ts'
import { readPages, type PagedList } from '../rest/pages.ts'
import { AwsClient, type AwsCall } from './client.ts'
import { inTurns, priceFilters, pricesIn } from './prices.ts'
import type { AwsQuota } from './quotas.ts'
import type { AwsSettings } from './settings.ts'

/** The price list of all regions is served from few of them. */
const PRICES_AT = 'us-east-1'

interface Clients {
  readonly ec2: EC2Client
  readonly quotas: ServiceQuotasClient
  readonly pricing: PricingClient
}

interface Page<T> {
  readonly items: readonly T[] | undefined
  readonly next: string | undefined
}

type AwsSdk = Awaited<ReturnType<typeof loadSdk>>

/** Nearly two seconds and 100 MB: only where a provider of this kind is opened. */
async function loadSdk() {
  const [ec2, pricing, quotas] = await Promise.all([
    import('@aws-sdk/client-ec2'),
    import('@aws-sdk/client-pricing'),
    import('@aws-sdk/client-service-quotas'),
  ])
  return { ec2, pricing, quotas }
}

/** The calls of AWS that Berth makes. */
export class AwsApi {
  readonly #sdk: AwsSdk
  readonly #aws: AwsClient
  readonly #types: readonly string[]
  readonly #clients = new Map<string, Clients>()
  /** The key that the clients were made for: a new one makes new clients. */
  #madeFor = ''

  private constructor(sdk: AwsSdk, settings: AwsSettings, deps: Pick<ProviderDeps, 'credential'>) {
    this.#sdk = sdk
    this.#aws = new AwsClient(settings, deps)
    this.#types = settings.types
  }

  static async open(settings: AwsSettings, deps: Pick<ProviderDeps, 'credential'>): Promise<AwsApi> {
    return new AwsApi(await loadSdk(), settings, deps)
  }

  types(region: string, call: Call): Promise<Answer<PagedList<InstanceTypeInfo>>> {
    return this.typesNamed(region, this.#types, call)
  }

  typesNamed(region: string, names: readonly string[], call: Call): Promise<Answer<PagedList<InstanceTypeInfo>>> {
    const Filters = [filter('instance-type', names)]
    return this.#pages(region, call, (ec2, NextToken) => ({
      name: 'DescribeInstanceTypes',
      send: (options) =>
        ec2.send(new this.#sdk.ec2.DescribeInstanceTypesCommand({ Filters, MaxResults: 100, NextToken }), options),
      page: ({ InstanceTypes, NextToken: next }) => ({ items: InstanceTypes, next }),
    }))
  }

  /** Which of these types there are in which zones. */
  offerings(region: string, types: readonly string[], call: Call): Promise<Answer<PagedList<InstanceTypeOffering>>> {
    // A filter takes 200 values; with more of them, all types are read.
    const Filters = types.length > 200 ? [] : [filter('instance-type', types)]
    return this.#pages(region, call, (ec2, NextToken) => ({
      name: 'DescribeInstanceTypeOfferings',
      send: (options) =>
        ec2.send(
          new this.#sdk.ec2.DescribeInstanceTypeOfferingsCommand({
            LocationType: 'availability-zone',
            Filters,
            NextToken,
          }),
          options,
        ),
      page: ({ InstanceTypeOfferings, NextToken: next }) => ({ items: InstanceTypeOfferings, next }),
    }))
  }

  /** What spot costs now, by zone. */
  spotPrices(
    region: string,
    types: readonly string[],
    { nowMs, ...call }: Call & { readonly nowMs: number },
  ): Promise<Answer<PagedList<SpotPrice>>> {
    const Filters = [filter('instance-type', types), filter('product-description', ['Linux/UNIX'])]
    const StartTime = new Date(nowMs)
    return this.#pages(region, call, (ec2, NextToken) => ({
      name: 'DescribeSpotPriceHistory',
      send: (options) =>
        ec2.send(new this.#sdk.ec2.DescribeSpotPriceHistoryCommand({ Filters, StartTime, NextToken }), options),
      page: ({ SpotPriceHistory, NextToken: next }) => ({ items: SpotPriceHistory, next }),
    }))
  }

  subnets(region: string, ids: readonly string[] | undefined, call: Call): Promise<Answer<PagedList<Subnet>>> {
    const Filters = [ids === undefined ? filter('default-for-az', ['true']) : filter('subnet-id', ids)]
    return this.#pages(region, call, (ec2, NextToken) => ({
      name: 'DescribeSubnets',
      send: (options) => ec2.send(new this.#sdk.ec2.DescribeSubnetsCommand({ Filters, NextToken }), options),
      page: ({ Subnets, NextToken: next }) => ({ items: Subnets, next }),
    }))
  }

  instances(
    region: string,
    filters: Readonly<Record<string, readonly string[]>>,
    call: Call,
  ): Promise<Answer<PagedList<Instance>>> {
    const Filters = Object.entries(filters).map(([name, values]) => filter(name, values))
    return this.#pages(region, call, (ec2, NextToken) => ({
      name: 'DescribeInstances',
      send: (options) =>
        ec2.send(new this.#sdk.ec2.DescribeInstancesCommand({ Filters, MaxResults: 1000, NextToken }), options),
      page: ({ Reservations, NextToken: next }) => ({
        items: Reservations?.flatMap(({ Instances }) => Instances ?? []),
        next,
      }),
    }))
  }

  spotRequests(region: string, ids: readonly string[], call: Call): Promise<Answer<PagedList<SpotInstanceRequest>>> {
    const Filters = [filter('spot-instance-request-id', ids)]
    return this.#pages(region, call, (ec2, NextToken) => ({
      name: 'DescribeSpotInstanceRequests',
      send: (options) =>
        ec2.send(new this.#sdk.ec2.DescribeSpotInstanceRequestsCommand({ Filters, NextToken }), options),
      page: ({ SpotInstanceRequests, NextToken: next }) => ({ items: SpotInstanceRequests, next }),
    }))
  }

  templates(region: string, tagKey: string, call: Call): Promise<Answer<PagedList<LaunchTemplate>>> {
    const Filters = [filter('tag-key', [tagKey])]
    return this.#pages(region, call, (ec2, NextToken) => ({
      name: 'DescribeLaunchTemplates',
      send: (options) =>
        ec2.send(new this.#sdk.ec2.DescribeLaunchTemplatesCommand({ Filters, MaxResults: 200, NextToken }), options),
      page: ({ LaunchTemplates, NextToken: next }) => ({ items: LaunchTemplates, next }),
    }))
  }

  /** The id of the template. No machine comes of it. */
  async createTemplate(region: string, input: CreateLaunchTemplateCommandInput, call: Call): Promise<Answer<string>> {
    const { ec2 } = await this.#clientsFor(region)
    const send: AwsCall<string>['send'] = async (options) =>
      (await ec2.send(new this.#sdk.ec2.CreateLaunchTemplateCommand(input), options)).LaunchTemplate
        ?.LaunchTemplateId ?? ''
    const answer = await this.#aws.call({ name: 'CreateLaunchTemplate', send }, call)
    if (!answer.ok) return answer
    if (answer.value !== undefined && answer.value !== '') return { ok: true, value: answer.value }
    return { ok: false, fault: { class: 'TRANSIENT', message: 'CreateLaunchTemplate: its reply has no id' } }
  }

  async deleteTemplate(region: string, id: string, call: Call): Promise<Answer<unknown>> {
    const { ec2 } = await this.#clientsFor(region)
    return this.#aws.call(
      {
        name: 'DeleteLaunchTemplate',
        send: (options) => ec2.send(new this.#sdk.ec2.DeleteLaunchTemplateCommand({ LaunchTemplateId: id }), options),
        isAbsent: (text) => /InvalidLaunchTemplateId\.NotFound/.test(text),
      },
      call,
    )
  }

  async createFleet(
    region: string,
    input: CreateFleetCommandInput,
    call: Call,
  ): Promise<Answer<CreateFleetCommandOutput | undefined>> {
    const { ec2 } = await this.#clientsFor(region)
    const send: AwsCall<CreateFleetCommandOutput>['send'] = (options) =>
      ec2.send(new this.#sdk.ec2.CreateFleetCommand(input), options)
    return this.#aws.call({ name: 'CreateFleet', send, creates: true }, call)
  }

  /** As many machines as asked for, or none. */
  async runInstances(
    region: string,
    input: RunInstancesCommandInput,
    call: Call,
  ): Promise<Answer<RunInstancesCommandOutput | undefined>> {
    const { ec2 } = await this.#clientsFor(region)
    const send: AwsCall<RunInstancesCommandOutput>['send'] = (options) =>
      ec2.send(new this.#sdk.ec2.RunInstancesCommand(input), options)
    return this.#aws.call({ name: 'RunInstances', send, creates: true }, call)
  }

  async tag(
    region: string,
    { ids, tags }: { readonly ids: readonly string[]; readonly tags: readonly Tag[] },
    call: Call,
  ): Promise<Answer<unknown>> {
    const { ec2 } = await this.#clientsFor(region)
    const input = { Resources: [...ids], Tags: [...tags] }
    const send: AwsCall<unknown>['send'] = (options) => ec2.send(new this.#sdk.ec2.CreateTagsCommand(input), options)
    return this.#aws.call({ name: 'CreateTags', send }, call)
  }

  /** Those named, or the default one of a network. */
  securityGroups(
    region: string,
    of: readonly string[] | { readonly vpc: string },
    call: Call,
  ): Promise<Answer<PagedList<SecurityGroup>>> {
    const Filters =
      'vpc' in of ? [filter('group-name', ['default']), filter('vpc-id', [of.vpc])] : [filter('group-id', of)]
    return this.#pages(region, call, (ec2, NextToken) => ({
      name: 'DescribeSecurityGroups',
      send: (options) => ec2.send(new this.#sdk.ec2.DescribeSecurityGroupsCommand({ Filters, NextToken }), options),
      page: ({ SecurityGroups, NextToken: next }) => ({ items: SecurityGroups, next }),
    }))
  }

  /** No machine comes of it. One that exists already is as good. */
  async createGroup(region: string, input: CreatePlacementGroupCommandInput, call: Call): Promise<Answer<unknown>> {
    const { ec2 } = await this.#clientsFor(region)
    const send: AwsCall<unknown>['send'] = (options) =>
      ec2.send(new this.#sdk.ec2.CreatePlacementGroupCommand(input), options)
    const isAbsent = (text: string): boolean => /InvalidPlacementGroup\.Duplicate/.test(text)
    return this.#aws.call({ name: 'CreatePlacementGroup', send, isAbsent }, call)
  }

  /** One with machines in it stays. */
  async deleteGroup(region: string, name: string, call: Call): Promise<Answer<unknown>> {
    const { ec2 } = await this.#clientsFor(region)
    const send: AwsCall<unknown>['send'] = (options) =>
      ec2.send(new this.#sdk.ec2.DeletePlacementGroupCommand({ GroupName: name }), options)
    const isAbsent = (text: string): boolean => /InvalidPlacementGroup\.(?:Unknown|InUse)/.test(text)
    return this.#aws.call({ name: 'DeletePlacementGroup', send, isAbsent }, call)
  }

  groups(region: string, tagKey: string, call: Call): Promise<Answer<PagedList<PlacementGroup>>> {
    const Filters = [filter('tag-key', [tagKey])]
    return this.#pages(region, call, (ec2) => ({
      name: 'DescribePlacementGroups',
      send: (options) => ec2.send(new this.#sdk.ec2.DescribePlacementGroupsCommand({ Filters }), options),
      page: ({ PlacementGroups }) => ({ items: PlacementGroups, next: undefined }),
    }))
  }

  /** The state after it; undefined: there is no such machine. */
  async terminate(region: string, id: string, call: Call): Promise<Answer<string | undefined>> {
    const { ec2 } = await this.#clientsFor(region)
    const answer = await this.#aws.call(
      {
        name: 'TerminateInstances',
        send: (options) => ec2.send(new this.#sdk.ec2.TerminateInstancesCommand({ InstanceIds: [id] }), options),
        isAbsent: (text) => /InvalidInstanceID\.(?:NotFound|Malformed)/.test(text),
      },
      call,
    )
    if (!answer.ok || answer.value === undefined) return answer.ok ? { ok: true, value: undefined } : answer
    const found = answer.value.TerminatingInstances?.find(({ InstanceId }) => InstanceId === id)
    const { PreviousState: before, CurrentState: after } = found ?? {}
    return { ok: true, value: before?.Name === 'terminated' ? before.Name : (after?.Name ?? 'shutting-down') }
  }

  /** Dollars an hour, by type. What the list does not say is not in it. */
  async prices(region: string, types: readonly string[], call: Call): Promise<Answer<ReadonlyMap<string, number>>> {
    const { pricing } = await this.#clientsFor(PRICES_AT)
    const entries: unknown[] = []
    for (const turn of inTurns(types)) {
      const answer = await readPages<unknown>(async (NextToken) => {
        const input = { ServiceCode: 'AmazonEC2', Filters: priceFilters(region, turn), MaxResults: 100, NextToken }
        const reply = await this.#aws.call(
          {
            name: 'GetProducts',
            send: (options) => pricing.send(new this.#sdk.pricing.GetProductsCommand(input), options),
          },
          call,
        )
        if (!reply.ok) return reply
        return { ok: true, value: { items: reply.value?.PriceList ?? [], next: reply.value?.NextToken } }
      })
      if (!answer.ok) return answer
      entries.push(...answer.value.items)
    }
    return { ok: true, value: pricesIn(entries) }
  }

  async quotas(region: string, call: Call): Promise<Answer<readonly AwsQuota[]>> {
    const { quotas } = await this.#clientsFor(region)
    const answer = await readPages<AwsQuota>(async (NextToken) => {
      const input = { ServiceCode: 'ec2', MaxResults: 100, NextToken }
      const reply = await this.#aws.call(
        {
          name: 'ListServiceQuotas',
          send: (options) => quotas.send(new this.#sdk.quotas.ListServiceQuotasCommand(input), options),
        },
        call,
      )
      if (!reply.ok) return reply
      const items = (reply.value?.Quotas ?? []).flatMap(({ QuotaName, Value }) =>
        QuotaName === undefined || Value === undefined ? [] : [{ name: QuotaName, vcpus: Value }],
      )
      return { ok: true, value: { items, next: reply.value?.NextToken } }
    })
    return answer.ok ? { ok: true, value: answer.value.items } : answer
  }

  close(): void {
    for (const { ec2, quotas, pricing } of this.#clients.values())
      for (const each of [ec2, quotas, pricing]) each.destroy()
    this.#clients.clear()
  }

  async #pages<Output, T>(
    region: string,
    call: Call,
    asks: (
      ec2: EC2Client,
      cursor: string | undefined,
    ) => AwsCall<Output> & { readonly page: (output: Output) => Page<T> },
  ): Promise<Answer<PagedList<T>>> {
    const { ec2 } = await this.#clientsFor(region)
    return readPages<T>(async (cursor) => {
      const { page, ...request } = asks(ec2, cursor)
      const answer = await this.#aws.call(request, call)
      if (!answer.ok) return answer
      const { items = [], next } = answer.value === undefined ? { next: undefined } : page(answer.value)
      return { ok: true, value: { items, next: next === '' ? undefined : next } }
    })
  }

  async #clientsFor(region: string): Promise<Clients> {
    const key = await this.#aws.key()
    const mark = JSON.stringify(key ?? null)
    if (mark !== this.#madeFor) this.close()
    this.#madeFor = mark
    const known = this.#clients.get(region)
    if (known !== undefined) return known
    const config = { ...this.#aws.configFor(region), ...(key !== undefined && { credentials: key }) }
    const made = {
      ec2: new this.#sdk.ec2.EC2Client(config),
      quotas: new this.#sdk.quotas.ServiceQuotasClient(config),
      pricing: new this.#sdk.pricing.PricingClient(config),
    }
    this.#clients.set(region, made)
    return made
  }
}

function filter(Name: string, Values: readonly string[]): Filter {
  return { Name, Values: [...Values] }
}
