import { expect } from 'vitest'
import type { Tag } from '../../core/life/call/order.ts'
import {
  becomes,
  call,
  freshOwner,
  freshTag,
  isOver,
  isUp,
  launch,
  launchCall,
  listed,
  stopped,
  yes,
  type Sentence,
} from './bench.suite.ts'

/** Who owns an instance, how often it is started, and what outlives Berth. */
export const identity: readonly Sentence[] = [
  {
    says: 'a repeated attempt starts one instance',
    about: 'tokens',
    async holds(bench) {
      const order = { ...(await bench.order({ kind: 'long' })), tag: freshTag() }
      const first = yes(await bench.provider.launch(order, launchCall()))
      await becomes(bench, { tag: order.tag, instance: undefined }, isUp)
      const again = yes(await bench.provider.launch(order, launchCall()))
      expect(again.instance).toBe(first.instance)
      expect(
        [...(await listed(bench, order.tag.owner)).keys()].filter((key) => key === order.tag.attempt),
      ).toHaveLength(1)
      await stopped(bench, { tag: order.tag, instance: first.instance })
    },
  },
  {
    says: 'an attempt made several times at once starts one instance',
    about: 'tokens',
    async holds(bench) {
      const order = { ...(await bench.order({ kind: 'lines', lines: 1 })), tag: freshTag() }
      const ref = { tag: order.tag, instance: undefined }
      const answers = await Promise.all(Array.from({ length: 4 }, () => bench.provider.launch(order, launchCall())))
      expect(new Set(answers.map((answer) => yes(answer).instance)).size).toBe(1)
      await becomes(bench, ref, isOver)
      const printed: string[] = []
      const lines = bench.provider.logs?.(ref, { follow: true, tail: undefined }, call()) ?? []
      for await (const line of lines) printed.push(line.text)
      if (bench.provider.can.logs) expect(printed).toEqual(['line 1'])
    },
  },
  {
    says: 'an attempt that is repeated after its instance died answers with the dead one',
    about: 'tokens',
    async holds(bench) {
      const order = { ...(await bench.order({ kind: 'exit', code: 0 })), tag: freshTag() }
      const ref = { tag: order.tag, instance: undefined }
      const first = yes(await bench.provider.launch(order, launchCall()))
      await becomes(bench, ref, isOver)
      const again = yes(await bench.provider.launch(order, launchCall()))
      expect(again.instance).toBe(first.instance)
      expect(isOver(yes(await bench.provider.describe(ref, call())))).toBe(true)
    },
  },
  {
    says: 'an attempt that was stopped is never started again',
    about: 'tokens',
    async holds(bench) {
      const order = { ...(await bench.order({ kind: 'long' })), tag: freshTag() }
      const ref = { tag: order.tag, instance: undefined }
      yes(await bench.provider.launch(order, launchCall()))
      await stopped(bench, ref)
      yes(await bench.provider.launch(order, launchCall()))
      expect(isOver(yes(await bench.provider.describe(ref, call())))).toBe(true)
    },
  },
  {
    says: 'a list has exactly what its owner started',
    async holds(bench) {
      const ours = await launch(bench, { kind: 'long' }, { owner: freshOwner() })
      const theirs = await launch(bench, { kind: 'long' }, { owner: freshOwner() })
      expect([...(await listed(bench, ours.tag.owner)).keys()]).toEqual([ours.tag.attempt])
      expect([...(await listed(bench, theirs.tag.owner)).keys()]).toEqual([theirs.tag.attempt])
      expect([...(await listed(bench, freshOwner())).keys()]).toEqual([])
      await Promise.all([stopped(bench, ours), stopped(bench, theirs)])
    },
  },
  {
    says: 'what another owner runs is not touched, even under the same attempt',
    async holds(bench) {
      const theirs = await launch(bench, { kind: 'long' }, { owner: freshOwner() })
      await becomes(bench, theirs, isUp)
      const ours = { tag: { ...theirs.tag, owner: freshOwner() }, instance: undefined }
      expect(yes(await bench.provider.describe(ours, call()))).toEqual({ state: 'absent' })
      await bench.provider.stop(ours, call())
      expect(yes(await bench.provider.describe(theirs, call()))).toMatchObject({ state: 'up' })
      await stopped(bench, theirs)
    },
  },
  {
    says: 'a tag is returned exactly as it was given',
    async holds(bench) {
      const odd: Partial<Tag> = {
        project: 'research-and-development',
        workload: `w${'x'.repeat(60)}-9`,
        uid: 'u_1.2:3',
        slot: 'prefill/node-0.12',
        epoch: 4_000_000_000,
      }
      const ref = await launch(bench, { kind: 'long' }, odd)
      expect(await becomes(bench, ref, isUp)).toMatchObject({ tag: ref.tag })
      expect((await listed(bench, ref.tag.owner)).get(ref.tag.attempt)).toMatchObject({ tag: ref.tag })
      await stopped(bench, ref)
    },
  },
  {
    says: 'instances keep running and stay known when the provider is closed and opened again',
    async holds(bench) {
      const running = await launch(bench, { kind: 'long' })
      await becomes(bench, running, isUp)
      const done = await launch(bench, { kind: 'exit', code: 3 })
      const ended = await becomes(bench, done, isOver)

      const after = { ...bench, provider: await bench.reopen() }
      expect(yes(await after.provider.describe(running, call()))).toMatchObject({ state: 'up', tag: running.tag })
      expect((await listed(after, running.tag.owner)).get(running.tag.attempt)).toMatchObject({ state: 'up' })
      expect(yes(await after.provider.describe(done, call()))).toEqual(ended)
      await stopped(after, running)
    },
  },
  {
    says: 'an attempt that is repeated after a restart of Berth starts nothing',
    about: 'tokens',
    async holds(bench) {
      const order = { ...(await bench.order({ kind: 'long' })), tag: freshTag({ owner: freshOwner() }) }
      const first = yes(await bench.provider.launch(order, launchCall()))
      const after = { ...bench, provider: await bench.reopen() }
      expect(yes(await after.provider.launch(order, launchCall())).instance).toBe(first.instance)
      expect([...(await listed(after, order.tag.owner)).keys()]).toEqual([order.tag.attempt])
      await stopped(after, { tag: order.tag, instance: undefined })
    },
  },
]
