import { afterAll, beforeAll } from 'vitest'
import { startRig, type Rig, type RigOptions } from './rig/rig.ts'

/** A rig for the tests of a file, with what they need in it: up before the first of them and gone after the last. */
export function useRig(options: RigOptions, setUp: (rig: Rig) => Promise<void> = () => Promise.resolve()): () => Rig {
  let rig: Rig | undefined
  beforeAll(async () => {
    rig = await startRig(options)
    await setUp(rig)
  })
  afterAll(() => rig?.stop())
  return () => {
    if (rig === undefined) throw new Error(`${options.name} is not up yet`)
    return rig
  }
}
