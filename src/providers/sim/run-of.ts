import type { Exit } from '../../core/life/call/exit.ts'
import type { Order } from '../../core/life/call/order.ts'

/** The future of a simulated program. */
export interface PretendRun {
  /** Infinity: it runs until it is stopped. */
  readonly endsAfterMs: number
  readonly exit: Exit | undefined
  readonly checkpointSeconds: number | undefined
  readonly prints: readonly string[]
  /** `never`: it never comes up. `badly`: it is up but unhealthy. */
  readonly starts: 'well' | 'never' | 'badly'
}

const LINES_MAX = 10_000

/**
 * Reads the life of a run from the order's environment: `SIM_SECONDS` is how long it takes (left out: for ever), `SIM_EXIT`
 * the exit code, or several with commas for the first run, the second and so on, `SIM_LINES` how many lines it prints at
 * once, `SIM_CHECKPOINT_SECONDS` how often it saves a checkpoint, and `SIM_START` whether it comes up `never`, or `badly`.
 * Values that cannot be read are ignored.
 */
export function runOf({ env, resumeFromMs }: Pick<Order, 'env' | 'resumeFromMs'>, run: number): PretendRun {
  const seconds = numberOf(env.SIM_SECONDS)
  const checkpointSeconds = numberOf(env.SIM_CHECKPOINT_SECONDS)
  const lines = Math.min(numberOf(env.SIM_LINES) ?? 0, LINES_MAX)
  const prints = Array.from({ length: lines }, (_, index) => `line ${index + 1}`)
  const { SIM_START: start } = env
  const starts = start === 'never' || start === 'badly' ? start : 'well'
  if (seconds === undefined) return { endsAfterMs: Infinity, exit: undefined, checkpointSeconds, prints, starts }
  const codes = (env.SIM_EXIT ?? '0').split(',').map((code) => numberOf(code) ?? 1)
  const code = codes[Math.min(run, codes.length - 1)] ?? 0
  // Checkpointed work need not be repeated. Its amount is not known, so a resumed run takes half as long.
  const share = resumeFromMs === undefined ? 1 : 0.5
  const endsAfterMs = Math.floor(seconds * 1000 * share)
  return { endsAfterMs, exit: { kind: 'code', code }, checkpointSeconds, prints, starts }
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const number = Number(text)
  return Number.isFinite(number) && number >= 0 ? number : undefined
}
