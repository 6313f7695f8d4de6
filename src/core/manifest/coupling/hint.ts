import { modelFacts } from '../../hardware/family.ts'
import type { GpuModel, Slice } from '../../hardware/gpu.ts'
import { unique } from './rule.ts'
import type { Card, ForeignGpu, ForeignPolicy, Said } from './rule.ts'

/** `fields`: the hint goes inside a `gpu:` map; `map`: it includes the map. */
export type Frame = 'map' | 'fields'

/** What is wrong, in a sentence that introduces the hint. */
export function messageOf(said: Said): string {
  const what = `This ${said.does}${said.facts === undefined ? '' : `. It ${said.facts}`}`
  const lead = said.lead ?? leadOf(said)
  return lead === undefined ? `${what}.` : `${what}; ${lead}:`
}

/** The lines to write instead. */
export function hintOf(said: Said, frame: Frame): string {
  const gpu = said.gpu === undefined ? [] : gpuLines(said.gpu, frame)
  const policy = said.policy === undefined ? [] : [policyLine(said.policy)]
  const advice = said.advice === undefined ? [] : [said.advice]
  return [...gpu, ...(said.lines ?? []), ...policy, ...advice].join('\n')
}

/** With this much more memory, a card of the same name is another card: an 80 GB A100 is not a 40 GB A100. */
const OTHER_KIND_FROM = 1.5

/** Candidates grouped by the requirement that describes them; the smallest memory comes first. */
export function kindsOf(candidates: readonly GpuModel[]): readonly (readonly GpuModel[])[] {
  const kinds: GpuModel[][] = []
  for (const model of candidates.toSorted((one, two) => one.vramGib - two.vramGib)) {
    const alike = kinds.find(([first]) => first !== undefined && isAlike(first, model))
    if (alike === undefined) kinds.push([model])
    else alike.push(model)
  }
  return kinds
}

/** The names of models; those of one family are named by the family. */
export function namesOf(models: readonly GpuModel[]): readonly string[] {
  const bySize = models.toSorted((one, two) => one.vramGib - two.vramGib)
  const families = Map.groupBy(bySize, (model) => model.family)
  const names = [...families].flatMap(([family, members]) => {
    const name = members.length === 1 ? undefined : modelFacts(family)?.name
    return name ?? members.map((model) => model.name)
  })
  return unique(names)
}

/** The candidates with at least the requested memory; all of them when none has enough. */
export function meantBy(request: ForeignGpu): readonly GpuModel[] {
  const named = (request.cards ?? []).flatMap((card) => card.candidates)
  const large = named.filter((model) => model.vramGib >= (request.minVramGib ?? 0))
  return large.length > 0 ? large : named
}

function isAlike(small: GpuModel, large: GpuModel): boolean {
  return small.arch === large.arch && large.vramGib < small.vramGib * OTHER_KIND_FROM
}

function leadOf(said: Said): string | undefined {
  if (said.gpu !== undefined || said.lines !== undefined) {
    if (said.facts !== undefined) return 'state what you need from it'
    return said.gpu === undefined ? 'state what you need instead' : 'state what you need from it'
  }
  return said.policy === undefined ? undefined : 'the platform decides this in a policy'
}

/** One requirement, or one for each kind of card that an ambiguous name may mean. */
function gpuLines(request: ForeignGpu, frame: Frame): readonly string[] {
  const cards = request.cards ?? []
  const meant = meantBy(request)
  const kinds = cards.length === 1 && slicesOf(cards).length === 0 ? kindsOf(meant) : [meant]
  if (kinds.length > 1)
    return choiceOf(
      kinds.map((kind) => ({ fields: fieldsOf(request, kind), kind })),
      frame,
    )
  const unknown = cards.some((card) => card.candidates.length === 0)
  const note = unknown ? 'and what each card must have: min_vram, arch' : undefined
  return written(fieldsOf(request, meant), { frame, note })
}

type Field = readonly [name: string, value: string]

/** One line for each kind. Inside a `gpu:` map, the common fields come first, once. */
function choiceOf(
  choices: readonly { readonly fields: readonly Field[]; readonly kind: readonly GpuModel[] }[],
  frame: Frame,
): readonly string[] {
  const isCommon = ([name, value]: Field): boolean =>
    frame === 'fields' && choices.every(({ fields }) => fields.some((other) => other[0] === name && other[1] === value))
  const common = choices[0]?.fields.filter((field) => isCommon(field) && field[0] !== 'count') ?? []
  const shared = common.map(([name, value]) => `${name}: ${value}`)
  const apart = choices.flatMap(({ fields, kind }) =>
    written(
      fields.filter((field) => !isCommon(field)),
      { frame, note: namesOf(kind).join(' or ') },
    ),
  )
  return [...shared, ...apart]
}

/** Inside a `gpu:` map the count already has its own line, so it is left out unless it is the only field. */
function written(fields: readonly Field[], { frame, note }: { frame: Frame; note: string | undefined }): string[] {
  const others = fields.filter(([name]) => name !== 'count')
  const kept = frame === 'fields' && others.length > 0 ? others : fields
  const pairs = kept.length === 0 ? ['count: 1'] : kept.map(([name, value]) => `${name}: ${value}`)
  const lines = frame === 'map' ? [`gpu: { ${pairs.join(', ')} }`] : pairs
  return note === undefined ? lines : lines.with(0, `${lines[0]}  # ${note}`)
}

/** The requirement that the request and these models amount to: the weakest model decides. */
function fieldsOf(request: ForeignGpu, models: readonly GpuModel[]): readonly Field[] {
  const vram = vramFor(request, models)
  const arch = request.arch ?? unique(models.map((model) => model.arch))
  const link = linkFor(request, models)
  const sharing = request.sharing ?? sharingFor(request.cards ?? [])
  // Without an architecture, a manifest means NVIDIA unless it names a vendor.
  const vendor = arch.length === 0 && request.vendor !== 'nvidia' ? request.vendor : undefined
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['count', request.count?.toString()],
    ['vendor', vendor],
    ['min_vram', vram === undefined ? undefined : `${vram}Gi`],
    ['min_usable_vram', request.minUsableMib === undefined ? undefined : `${request.minUsableMib}Mi`],
    ['arch', arch.length === 0 ? undefined : listed(arch)],
    ['min_compute_capability', quoted(request.minCapability)],
    ['min_driver', quoted(request.minDriver)],
    ['min_cuda', quoted(request.minCuda)],
    ['interconnect', link],
    ['sharing', sharing],
    ...Object.entries(request.more ?? {}),
  ]
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

function vramFor(request: ForeignGpu, models: readonly GpuModel[]): number | undefined {
  const slices = slicesOf(request.cards ?? [])
  const sizes = slices.length > 0 ? slices.map((slice) => slice.gib) : models.map((model) => model.vramGib)
  return sizes.length === 0 ? request.minVramGib : Math.max(Math.min(...sizes), request.minVramGib ?? 0)
}

/** The link between the cards of a request, as far as their names determine it. */
export function linkOf(request: ForeignGpu): string | undefined {
  return linkFor(request, meantBy(request))
}

/** A name implies a link only where every model that it may mean has the link, and only between several cards. */
function linkFor(request: ForeignGpu, models: readonly GpuModel[]): string | undefined {
  const count = request.count ?? 1
  const cards = request.cards ?? []
  if (count < 2 || models.length === 0 || slicesOf(cards).length > 0) return request.interconnect
  if (models.every((model) => model.switchFrom !== undefined && count >= model.switchFrom)) return 'nvswitch'
  const linked = models.every((model) => model.link === 'nvlink') || cards.every((card) => card.linked)
  return linked ? 'nvlink' : request.interconnect
}

function sharingFor(cards: readonly Card[]): string | undefined {
  const slices = slicesOf(cards)
  if (slices.length === 0) return undefined
  return slices.every((slice) => slice.kind === 'mig') ? 'mig' : 'any'
}

function slicesOf(cards: readonly Card[]): readonly Slice[] {
  return cards.flatMap((card) => card.slice ?? [])
}

/** `policy: NAME`, with what that policy must contain. */
function policyLine(request: ForeignPolicy): string {
  const says = [
    request.allow === undefined ? undefined : `providers: { allow: [${request.allow.join(', ')}] }`,
    request.residency === undefined ? undefined : residencyText(request.residency),
    request.spot === undefined ? undefined : `spot: ${request.spot}`,
    request.maxUsdPerHour === undefined ? undefined : `max_usd_per_hour: ${request.maxUsdPerHour}`,
    request.trust === undefined ? undefined : `trust: [${request.trust.join(', ')}]`,
  ].filter((text) => text !== undefined)
  return `policy: NAME  # one in berth.config.yaml with ${says.join(', ')}`
}

function residencyText(areas: readonly string[]): string {
  return areas.length === 0 ? 'residency: the allowed areas' : `residency: [${areas.join(', ')}]`
}

function listed(values: readonly string[]): string {
  return values.length === 1 ? values.join('') : `[${values.join(', ')}]`
}

/** Versions are text: without quotes YAML would read 12.10 as 12.1. */
function quoted(version: string | undefined): string | undefined {
  return version === undefined ? undefined : `"${version}"`
}
