import { stepsOf, type Check, type Evidence } from './check.ts'

/** What has ended is not begun again until something else is wanted, whichever control plane goes on with its rows. */
export function endedCheck({ mirror, broke }: Evidence): Check {
  return {
    written: (commit) => {
      for (const { key, workload, before, after } of stepsOf(commit, mirror)) {
        if (before !== undefined || after.phase !== 'reserved') continue
        const status = mirror.statuses.get(workload)
        if (status?.end === undefined || status.uid !== after.order.tag.uid) continue
        const written = commit.writes.find((write) => write.kind === 'status' && write.key === workload)?.body
        const next = written !== undefined && 'generation' in written ? written.generation : status.generation
        if (next !== status.generation) continue
        broke('ended', `${key} begins although its workload has ended: ${status.end.why}`)
      }
    },
  }
}
