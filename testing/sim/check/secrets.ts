import type { Check, Evidence } from './check.ts'

/** I12: a secret appears only in the work of its own project. */
export function secretsCheck({ witness, broke }: Evidence): Check & { readonly logged: (line: string) => void } {
  const { canaries } = witness
  const holds = (text: string): boolean => canaries.some((canary) => text.includes(canary))
  return {
    written: (commit, process) => {
      if (process === undefined || canaries.length === 0 || !holds(JSON.stringify(commit))) return
      broke('I12', `a secret in a row or event: ${commit.writes[0]?.kind} ${commit.writes[0]?.key}`)
    },
    sent: ({ tag, secrets: names }, values) => {
      const own = witness.canaryOf(tag.project)
      for (const name of names) {
        if (values.get(name)?.reveal() === own) continue
        broke('I12', `${tag.workload} of ${tag.project} was launched with a value of ${name} that is not its project's`)
      }
      for (const name of values.keys()) {
        if (!names.includes(name)) broke('I12', `${tag.workload} was handed ${name}, which it does not name`)
      }
    },
    logged: (line) => {
      if (holds(line)) broke('I12', `a secret in a log line: ${line.slice(0, 80)}`)
    },
  }
}
