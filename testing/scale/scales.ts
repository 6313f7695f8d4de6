import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/store/postgres/postgres.suite.ts'
import { applyMany, restart, scalePlane, serving, steady } from './run.ts'

// What the real control plane costs with many workloads: `node testing/scale/scales.ts [--workloads 10000] [--seconds 60]
// [--database] [--rate-only] [--profile DIR] [--keep]`. Ends with the figures in JSON.

const { values } = parseArgs({
  options: {
    workloads: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '60' },
    database: { type: 'boolean', default: false },
    'rate-only': { type: 'boolean', default: false },
    profile: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'berth-scale-'))
const postgres = values.database ? await startPostgres() : undefined
const count = Number(values.workloads)
const node = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]
const plane = scalePlane(folder, { node, ...(postgres && { database: postgres.url }) })
try {
  await plane.start()
  const accepted = await applyMany(plane, count)
  console.error(JSON.stringify(accepted))
  if (values['rate-only']) console.log(JSON.stringify({ accepted }, undefined, 2))
  else {
    const allServeAfterMs = await serving(plane, count, 600_000)
    console.error(JSON.stringify({ allServeAfterMs }))
    const settled = await steady(plane, 10)
    console.error(JSON.stringify({ settled }))
    const restarted = await restart(plane, folder)
    console.error(JSON.stringify(restarted))
    const idle = await steady(plane, Number(values.seconds))
    console.log(JSON.stringify({ accepted, allServeAfterMs, settled, restarted, idle }, undefined, 2))
  }
  await plane.stop()
} finally {
  await plane.kill()
  await postgres?.stop()
  if (values.keep) console.error(`everything is kept in ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
