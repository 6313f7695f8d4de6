import { expect, test } from 'vitest'
import type { ReplicaRoute, ServiceRoute } from '../../core/route/route.ts'
import { renderConfig, renderMap } from './config.ts'
import { commandsFor, type HaproxyState } from './runtime.ts'
import { emptySeats, QUIET_MS, seated, type ServiceSeat } from './seats.ts'

const ROOM = { services: 2, replicas: 2 }
const MAP = '/x/berth.map'

function route(name: string, replicas: Readonly<Record<string, ReplicaRoute['state']>>): ServiceRoute {
  const of = ([address, state]: [string, ReplicaRoute['state']]): ReplicaRoute => {
    return { id: address, address, state, provider: 'here', region: 'r' }
  }
  return { project: 'default', name, replicas: Object.entries(replicas).map(of) }
}

/** What HAProxy has after it was told of these seats. */
function runningOf(seats: readonly ServiceSeat[]): HaproxyState {
  const servers = seats.flatMap((seat, at) =>
    seat.servers.map(
      ({ state, host = '192.0.2.1', port = 9 }, each) => [`berth${at}/s${each}`, { state, host, port }] as const,
    ),
  )
  const map = renderMap(seats)
    .split('\n')
    .flatMap((line) => {
      const [key, backend] = line.split(' ')
      return key === undefined || backend === undefined ? [] : [[key, backend] as const]
    })
  return { servers: new Map(servers), map: new Map(map) }
}

test('a service takes a free backend, and what is told is only what differs', () => {
  const empty = emptySeats(ROOM)
  const { seats } = seated(empty, [route('web', { '10.0.0.1:80': 'ready', '[fd00::1]:81': 'unseen' })], 0)
  expect(commandsFor(seats, runningOf(empty), MAP)).toEqual([
    'set server berth0/s0 addr 10.0.0.1 port 80',
    'set server berth0/s0 state ready',
    `add map ${MAP} default/web berth0`,
    `add map ${MAP} web.default berth0`,
  ])
  expect(commandsFor(seats, runningOf(seats), MAP)).toEqual([])
})

test('a replica keeps its server; one that leaves is drained, one that is gone frees its server for the next', () => {
  const first = seated(emptySeats(ROOM), [route('web', { '10.0.0.1:80': 'ready', '[fd00::1]:81': 'ready' })], 0).seats
  const leaving = seated(first, [route('web', { '10.0.0.1:80': 'leaving', '[fd00::1]:81': 'ready' })], 1).seats
  expect(commandsFor(leaving, runningOf(first), MAP)).toEqual(['set server berth0/s0 state drain'])
  const { seats, unseated } = seated(
    leaving,
    [route('web', { '10.0.0.1:80': 'leaving', '[fd00::1]:81': 'ready', '10.0.0.2:80': 'ready' })],
    2,
  )
  expect(commandsFor(seats, runningOf(leaving), MAP)).toEqual([])
  expect(unseated).toEqual([{ key: 'default/web', why: expect.stringContaining('10.0.0.2:80 has no server') }])
  const next = seated(seats, [route('web', { '[fd00::1]:81': 'ready', '10.0.0.2:80': 'ready' })], 3).seats
  expect(commandsFor(next, runningOf(seats), MAP)).toEqual([
    'set server berth0/s0 state maint',
    'set server berth0/s0 addr 10.0.0.2 port 80',
    'set server berth0/s0 state ready',
  ])
})

test('a service leaves the map before its servers go, and its backend rests before another service gets it', () => {
  const one = seated(emptySeats(ROOM), [route('a', { '10.0.0.1:80': 'ready' }), route('b', {})], 0).seats
  const without = seated(one, [route('b', {})], 10).seats
  expect(commandsFor(without, runningOf(one), MAP)).toEqual([
    `del map ${MAP} default/a`,
    `del map ${MAP} a.default`,
    'set server berth0/s0 state maint',
  ])
  const routes = [route('b', {}), route('c', { '10.0.0.3:80': 'ready' })]
  const soon = seated(without, routes, QUIET_MS)
  expect(soon.seats.map(({ key }) => key)).toEqual([undefined, 'default/b'])
  expect(soon.unseated).toEqual([{ key: 'default/c', why: expect.stringContaining('a minute must pass') }])
  const later = seated(soon.seats, routes, QUIET_MS + 10)
  expect(later.seats.map(({ key }) => key)).toEqual(['default/c', 'default/b'])
  const full = seated(later.seats, [...routes, route('d', {})], QUIET_MS + 20)
  expect(full.unseated).toEqual([{ key: 'default/d', why: expect.stringContaining('raise --services') }])
})

test('addresses that HAProxy is not told of are named', () => {
  const { seats, unseated } = seated(
    emptySeats(ROOM),
    [route('web', { 'tls://pod.example.com:443': 'ready', 'pod.example.com:80': 'ready' })],
    0,
  )
  expect(unseated.map(({ why }) => why.split(':')[0])).toEqual(['tls', 'pod.example.com'])
  expect(seats[0]?.servers.every(({ state }) => state === 'maint')).toBe(true)
})

test('the file that HAProxy starts with has the routes as they are', () => {
  const { seats } = seated(emptySeats(ROOM), [route('web', { '10.0.0.1:80': 'ready' })], 0)
  const text = renderConfig(seats, { listen: '127.0.0.1:7801', socket: '/x/haproxy.sock', map: MAP })
  expect(text).toContain(
    'backend berth0 from berth # default/web\n  server s0 10.0.0.1:80\n  server s1 192.0.2.1:9 disabled',
  )
})

test('an only replica that is exchanged leaves when its successor is there', () => {
  const { seats } = seated(emptySeats(ROOM), [route('web', { '10.0.0.1:80': 'ready' })], 0)
  const next = seated(seats, [route('web', { '10.0.0.2:80': 'ready' })], 1).seats
  expect(commandsFor(next, runningOf(seats), MAP)).toEqual([
    'set server berth0/s1 addr 10.0.0.2 port 80',
    'set server berth0/s1 state ready',
    'set server berth0/s0 state maint',
  ])
})
