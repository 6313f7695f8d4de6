import { refusalXml } from './xml.ts'

interface Group {
  readonly name: string
  readonly tags: readonly (readonly [key: string, value: string])[]
}

interface Reply {
  readonly status: number
  readonly text: string
}

/** Placement groups, which moto does not have. */
export class PlacementGroups {
  readonly #groups = new Map<string, Group>()
  readonly #isUsed: (name: string) => boolean

  constructor(isUsed: (name: string) => boolean) {
    this.#isUsed = isUsed
  }

  has(name: string): boolean {
    return this.#groups.has(name)
  }

  names(): readonly string[] {
    return [...this.#groups.keys()]
  }

  create(form: URLSearchParams): Reply {
    const name = form.get('GroupName') ?? ''
    if (this.#groups.has(name)) return refused('InvalidPlacementGroup.Duplicate')
    if (form.get('Strategy') !== 'cluster') return refused('InvalidParameterValue')
    const tag = 'TagSpecification.1.Tag.'
    const keys = [...form].filter(([key]) => key.startsWith(tag) && key.endsWith('.Key'))
    const tags = keys.map(([key, value]) => [value, form.get(key.replace(/Key$/, 'Value')) ?? ''] as const)
    this.#groups.set(name, { name, tags })
    return { status: 200, text: '<CreatePlacementGroupResponse><return>true</return></CreatePlacementGroupResponse>' }
  }

  delete(form: URLSearchParams): Reply {
    const name = form.get('GroupName') ?? ''
    if (!this.#groups.has(name)) return refused('InvalidPlacementGroup.Unknown')
    if (this.#isUsed(name)) return refused('InvalidPlacementGroup.InUse')
    this.#groups.delete(name)
    return { status: 200, text: '<DeletePlacementGroupResponse><return>true</return></DeletePlacementGroupResponse>' }
  }

  described(): Reply {
    const items = [...this.#groups.values()].map(({ name, tags }) => {
      const set = tags.map(([key, value]) => `<item><key>${key}</key><value>${value}</value></item>`).join('')
      return `<item><groupName>${name}</groupName><strategy>cluster</strategy><state>available</state><tagSet>${set}</tagSet></item>`
    })
    return {
      status: 200,
      text: `<DescribePlacementGroupsResponse><placementGroupSet>${items.join('')}</placementGroupSet></DescribePlacementGroupsResponse>`,
    }
  }
}

function refused(code: string): Reply {
  return { status: 400, text: refusalXml(code, 'No.') }
}
