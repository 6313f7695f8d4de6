import { Controller } from '../../../src/controller/controller.ts'
import { Story } from '../../../src/controller/story.suite.ts'
import { must } from '../../../src/core/base/assert.ts'
import { gatedProvider } from '../gates.ts'
import { Rented } from './rented.ts'
import type { RentedCloud } from './rented-cloud.ts'

/** A story with one control plane and rented clouds, behind their real adapters. */
export class RentedStory {
  readonly story = new Story()
  #rented: Rented | undefined

  static async begin(
    names: readonly string[],
    usdPerHour: Readonly<Record<string, number>> = {},
  ): Promise<RentedStory> {
    const told = new RentedStory()
    const { story } = told
    const watch = {
      changed: () => undefined,
      broke: (invariant: string, detail: string): void => {
        throw new Error(`${invariant}: ${detail}`)
      },
    }
    const rented = await Rented.open({ loop: story.loop, seed: 1, names, lives: 1, watch })
    told.#rented = rented
    for (const [name, usd] of Object.entries(usdPerHour)) told.cloud(name).parts.api.engine.usdPerHour = usd
    const { deps, process } = story.depsAnd('one')
    for (const [name, provider] of rented.providersFor(process)) {
      const sent = (order: Parameters<Rented['sent']>[0]): void => rented.sent(order)
      story.state(name, 'open', gatedProvider(provider, { loop: story.loop, process, hook: () => undefined, sent }))
    }
    void new Controller(deps).run(new AbortController().signal)
    await story.pass(20)
    return told
  }

  cloud(name: string): RentedCloud {
    return must(this.#rented?.clouds.get(name), `a cloud ${name}`)
  }

  /** When orders were sent to a cloud, in ms. */
  orders(name: string): readonly number[] {
    return this.cloud(name).sent.flatMap(({ call, atMs }) => (call === 'create' ? [atMs] : []))
  }
}
