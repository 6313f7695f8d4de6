import { place } from '../../core/place/place.ts'
import { report, type PlanReport } from '../../core/place/explain/report.ts'
import type { Cli } from '../cli.ts'
import { loadPlatform, questionOf } from './deciding.ts'
import { manifestFrom, readManifest, readText, type Text } from '../inputs.ts'
import { answer, sayWarnings } from '../output.ts'
import { warned } from '../print/error.ts'
import { NOTHING_TO_ASK, orWithout, type PlanFlags } from './flags.ts'
import { printPlan } from '../print/plan.ts'
import { missingSecrets } from '../work/secrets-needed.ts'
import { berthOf, projectOf } from '../remote.ts'
import { perHour } from '../words/words.ts'
import { many } from '../../core/base/words.ts'

interface Asking {
  readonly cli: Cli
  /** Whether the control plane is asked. */
  readonly isThere: boolean
}

/** Plans several manifests in order: each takes its capacity before the next. Returns whether everything fits. */
export async function planSeveral(
  files: readonly string[],
  flags: PlanFlags,
  { cli, isThere }: Asking,
): Promise<boolean> {
  const texts = files.map((file) => readText(file, cli.files))
  const read = texts.map((text) => readManifest(text))
  const plans = isThere ? await plansThere(texts, flags, cli) : plansHere(texts, flags, cli)
  const users = read.map(({ manifest }) => manifest)
  const where = isThere ? { berth: berthOf(cli, flags), project: projectOf(cli, flags) } : undefined
  const missing = where === undefined ? [] : await missingSecrets(users, where)
  const warnings = [...read.flatMap((one) => one.warnings), ...missing]
  const nowMs = cli.clock.nowMs()
  const all = flags.all === true ? 'all' : 'one-screen'
  answer(cli, flags.output, {
    data: { plans, ...warned(warnings) },
    text: () => {
      const each = plans.map((plan) => printPlan(plan, { again: undefined, elapsedMs: undefined, nowMs, all }))
      return [...each, summary(plans)].join('\n\n')
    },
  })
  sayWarnings(cli, flags.output, warnings)
  return plans.every(({ fits }) => fits)
}

async function plansThere(texts: readonly Text[], flags: PlanFlags, cli: Cli): Promise<readonly PlanReport[]> {
  const berth = berthOf(cli, flags)
  const project = projectOf(cli, flags)
  const plans: PlanReport[] = []
  for (const [index, text] of texts.entries()) {
    const before = texts.slice(0, index)
    const asked = { project, ...text, before, ...(flags.spot && { spot: flags.spot }) }
    plans.push(await berth.plan(asked).catch(orWithout))
  }
  return plans
}

function plansHere(texts: readonly Text[], flags: PlanFlags, cli: Cli): readonly PlanReport[] {
  const manifests = texts.map((text) => ({ ...manifestFrom(text), ...(flags.spot && { spot: flags.spot }) }))
  const platform = loadPlatform(flags, cli, NOTHING_TO_ASK)
  return place(questionOf(manifests, platform, cli.clock.nowMs())).map(report)
}

function summary(plans: readonly PlanReport[]): string {
  const cost = perHour(plans.reduce((sum, plan) => sum + plan.usd_per_hour, 0))
  const short = plans.filter(({ fits }) => !fits).map(({ workload }) => workload)
  const together = `Together: ${many(plans.length, 'workload')}, ${cost}`
  return short.length === 0 ? `${together}.` : `${together}; no place for all of ${short.join(', ')}.`
}
