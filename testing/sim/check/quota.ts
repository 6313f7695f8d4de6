import type { Check, Evidence } from './check.ts'

/** I5: a project never has more workloads than it may, however many are asked for at once. */
export function quotaCheck({ mirror, witness, broke }: Evidence): Check {
  return {
    written: ({ writes }) => {
      for (const { kind, key, body } of writes) {
        if (kind !== 'workload' || body === undefined || mirror.workloads.has(key)) continue
        const [project = ''] = key.split('/')
        const { workloadsMax = Number.POSITIVE_INFINITY } = witness.limitsOf(project)
        const there = [...mirror.workloads.keys()].filter((known) => known.startsWith(`${project}/`)).length
        if (there >= workloadsMax) broke('I5', `${key} is one workload more than ${project} may have`)
      }
    },
  }
}
