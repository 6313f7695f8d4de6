import { expect } from 'vitest'
import {
  becomes,
  call,
  freshTag,
  isOver,
  isUp,
  launch,
  launchCall,
  listed,
  positive,
  stopped,
  yes,
  type Sentence,
} from './bench.suite.ts'

/** Offers, and the life of an instance from its launch to its end. */
export const lifecycle: readonly Sentence[] = [
  {
    says: 'offers have unique ids and the name of the provider, and say how long they stay fresh',
    async holds({ provider }) {
      const { offers, fleets, freshMs } = yes(await provider.offers(call()))
      expect(freshMs).toBeGreaterThan(0)
      expect(offers.length).toBeGreaterThan(0)
      expect(new Set(offers.map(({ id }) => id)).size).toBe(offers.length)
      expect(offers.filter((offer) => offer.provider !== provider.name)).toEqual([])
      expect(fleets.filter((fleet) => fleet.provider !== provider.name)).toEqual([])
      for (const { usdPerHour, spotUsdPerHour, gpu, region, instance } of offers) {
        expect(region).not.toBe('')
        expect(instance).not.toBe('')
        expect(usdPerHour ?? spotUsdPerHour ?? 0).toBeGreaterThanOrEqual(0)
        if (gpu !== undefined) expect(gpu.count).toBeGreaterThan(0)
      }
    },
  },
  {
    says: 'it has every method that it declares',
    async holds({ provider }) {
      const { can } = provider
      expect(provider.logs !== undefined).toBe(can.logs)
      expect(provider.exec !== undefined).toBe(can.exec)
      expect(can.groups && provider.launchGroup === undefined).toBe(false)
      expect(can.watch && provider.watch === undefined).toBe(false)
      expect(can.terminals && provider.session === undefined).toBe(false)
      expect(can.endedLogs && !can.logs).toBe(false)
      expect(positive(can).every((number) => Number.isFinite(number) && number > 0)).toBe(true)
      expect(can.settleMs).toBeGreaterThanOrEqual(0)
    },
  },
  {
    says: 'an instance is launched, described, listed, stopped and gone',
    async holds(bench) {
      const ref = await launch(bench, { kind: 'long' })
      const up = await becomes(bench, ref, isUp)
      expect(up).toMatchObject({ state: 'up', instance: ref.instance, tag: ref.tag })
      expect((await listed(bench, ref.tag.owner)).get(ref.tag.attempt)).toMatchObject({ state: 'up' })
      await stopped(bench, ref)
      expect(isOver(await becomes(bench, ref, isOver))).toBe(true)
      const last = (await listed(bench, ref.tag.owner)).get(ref.tag.attempt)
      expect(last === undefined || last.state === 'ended').toBe(true)
    },
  },
  {
    says: 'an instance without a known name is found by its tag',
    async holds(bench) {
      const ref = { ...(await launch(bench, { kind: 'long' })), instance: undefined }
      await becomes(bench, ref, isUp)
      await stopped(bench, ref)
      await becomes(bench, ref, isOver)
    },
  },
  {
    says: 'the exit code is reported for as long as the provider keeps it',
    async holds(bench) {
      for (const code of [0, 3]) {
        const ref = await launch(bench, { kind: 'exit', code })
        const ended = await becomes(bench, ref, isOver)
        if (ended.state === 'ended') expect(ended.exit).toEqual({ kind: 'code', code })
      }
    },
  },
  {
    says: 'stopping twice is a success',
    async holds(bench) {
      const ref = await launch(bench, { kind: 'long' })
      await stopped(bench, ref)
      expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: true })
    },
  },
  {
    says: 'stopping an instance that ended by itself is a success',
    async holds(bench) {
      const ref = await launch(bench, { kind: 'exit', code: 0 })
      await becomes(bench, ref, isOver)
      await stopped(bench, ref)
    },
  },
  {
    says: 'stopping and describing an instance that never existed is a success',
    async holds({ provider }) {
      const ref = { tag: freshTag(), instance: undefined }
      expect(yes(await provider.describe(ref, call()))).toEqual({ state: 'absent' })
      expect(yes(await provider.stop(ref, call()))).toEqual({ gone: true })
      expect(yes(await provider.describe(ref, call()))).toEqual({ state: 'absent' })
    },
  },
  {
    says: 'stopping an instance before it is up ends it, too',
    async holds(bench) {
      const ref = await launch(bench, { kind: 'long' })
      await stopped(bench, ref)
      expect(isOver(yes(await bench.provider.describe(ref, call())))).toBe(true)
    },
  },
  {
    says: 'a bad order is a bad request and creates nothing',
    async holds(bench) {
      const tag = freshTag()
      const answer = await bench.provider.launch({ ...(await bench.order({ kind: 'bad' })), tag }, launchCall())
      expect(answer).toMatchObject({ ok: false, fault: { class: 'BAD_REQUEST' } })
      if (!answer.ok) expect(answer.fault.message).toMatch(/\S.{9,}/)
      if (!answer.ok) expect(answer.fault.created ?? 'no').toBe('no')
      expect((await listed(bench, tag.owner)).has(tag.attempt)).toBe(false)
      expect(yes(await bench.provider.describe({ tag, instance: undefined }, call()))).toEqual({ state: 'absent' })
    },
  },
  {
    says: 'several launches at once start one instance each',
    async holds(bench) {
      const refs = await Promise.all(Array.from({ length: 5 }, () => launch(bench, { kind: 'long' })))
      expect(new Set(refs.map(({ instance }) => instance)).size).toBe(5)
      for (const ref of refs) await becomes(bench, ref, isUp)
      const seen = await listed(bench, refs[0]?.tag.owner ?? '')
      expect(refs.map(({ tag }) => seen.get(tag.attempt)?.state)).toEqual(refs.map(() => 'up'))
      await Promise.all(refs.map((ref) => stopped(bench, ref)))
    },
  },
]
