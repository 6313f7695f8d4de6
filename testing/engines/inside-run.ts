import { startRig, type RigOptions } from './rig/rig.ts'

// Brings a rig up in the network namespace of this process: node inside-run.ts '{"name": …}'

const options: RigOptions = JSON.parse(process.argv[2] ?? '')
try {
  const rig = await startRig(options)
  rig.api.close()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
