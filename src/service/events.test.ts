import { expect, test } from 'vitest'
import type { NewEvent } from '../core/event/event.ts'
import type { EventsQuery } from '../ports/berth.ts'
import { followEvents } from './events.ts'
import { ADMIN, service, NOW_MS } from './platform.suite.ts'

function eventOf(slot: string, atMs: number): NewEvent {
  return { atMs, project: 'default', subject: 'workload/a', kind: 'healthy', facts: { slot, epoch: 1 } }
}

async function happened(count: number) {
  const deps = service()
  for (let at = 0; at < count; at++) {
    await deps.store.commit({ writes: [], events: [eventOf(`${at}`, NOW_MS + at)] })
  }
  return deps
}

/** The slots of the first `count` events of a stream that would continue. */
async function slotsOf(deps: Awaited<ReturnType<typeof happened>>, given: Partial<EventsQuery>, count = Infinity) {
  const query = { project: undefined, workload: undefined, after: 0, follow: false, ...given }
  const stop = new AbortController()
  const slots: unknown[] = []
  for await (const { facts } of followEvents(deps, ADMIN, { query, signal: stop.signal })) {
    slots.push(facts['slot'])
    if (slots.length >= count) stop.abort()
  }
  return slots
}

test('the last so many events are given, and followed by what comes after them', async () => {
  const deps = await happened(700)
  expect(await slotsOf(deps, { tail: 2 })).toEqual(['698', '699'])
  expect(await slotsOf(deps, { tail: 0 })).toEqual([])
  const news = (tail: number) => {
    const sleep = async (): Promise<void> => {
      await deps.store.commit({ writes: [], events: [eventOf('new', NOW_MS)] })
    }
    return slotsOf({ ...deps, timers: { sleep } }, { tail, follow: true }, tail + 1)
  }
  expect(await news(1)).toEqual(['699', 'new'])
  expect(await news(0)).toEqual(['new'])
})

test('only what happened since a moment is given', async () => {
  expect(await slotsOf(await happened(5), { since_ms: NOW_MS + 3 })).toEqual(['3', '4'])
})
