import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { folderOf } from '../build/cache.ts'
import { RECIPES } from '../build/recipes.ts'

/** Where a rig has its files and its ports. */
export interface RigPlace {
  readonly folder: string
  /** The first of the ports it has for itself. */
  readonly ports: number
}

/** Each has a number of its own, counted from the rig's first port. */
const PORTS = {
  api: 0,
  etcd: 1,
  'etcd-peers': 2,
  scheduler: 3,
  controllers: 4,
  kwok: 5,
  'kai-scheduler': 10,
  'kai-scheduler-plugins': 11,
  'kai-binder': 12,
  'kai-binder-health': 13,
  'kai-podgrouper': 14,
  'kai-podgrouper-health': 15,
  'kai-podgroupcontroller': 16,
  'kai-podgroupcontroller-health': 17,
  'kai-queuecontroller': 18,
  'volcano-scheduler': 20,
  'volcano-scheduler-health': 21,
  'volcano-controllers': 22,
  'volcano-controllers-health': 23,
  'kueue-health': 25,
  'kueue-metrics': 26,
  'kueue-webhooks': 27,
  'kuberay-metrics': 30,
  'kuberay-health': 31,
  kubelet: 35,
  'kubelet-health': 36,
} as const
const PORTS_OF_A_RIG = 40

export function portOf({ ports }: RigPlace, name: keyof typeof PORTS): number {
  return ports + PORTS[name]
}

/** Rigs of this machine have their files here, each in a folder of its name. */
export function rigsFolder(): string {
  return process.env['BERTH_RIGS'] ?? join(tmpdir(), 'berth-rigs')
}

/** A program of an engine, as it was built. */
export function programOf(name: string): string {
  const recipe = Object.values(RECIPES)
    .flat()
    .find(({ programs }) => name in programs)
  if (recipe === undefined) throw new Error(`no engine has a program ${name}`)
  return join(folderOf(recipe), name)
}

/** Below what the kernel gives to connections that leave, so that a server that is started again finds its port. */
const LOWEST = 20_000
const HIGHEST = 32_000

/** The first of a block of ports of which none is in use, here and now. */
export async function freePorts(): Promise<number> {
  const blocks = Math.floor((HIGHEST - LOWEST) / PORTS_OF_A_RIG)
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = LOWEST + PORTS_OF_A_RIG * Math.floor(Math.random() * blocks)
    if (await areFree(Object.values(PORTS).map((offset) => first + offset))) return first
  }
  throw new Error(`too many ports between ${LOWEST} and ${HIGHEST} are in use`)
}

async function areFree(ports: readonly number[]): Promise<boolean> {
  for (const port of ports) {
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    } catch {
      return false
    } finally {
      server.close()
    }
  }
  return true
}
