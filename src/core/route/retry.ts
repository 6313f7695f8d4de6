/** What decides whether a request may be sent a second time. */
export interface Retried {
  readonly method: string
  /** The caller says that it may be sent twice: it has an idempotency key, or `berth-retry: safe`. */
  readonly isMarkedSafe: boolean
}

const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/** Whether sending it twice does no more than sending it once. */
export function isRepeatable({ method, isMarkedSafe }: Retried): boolean {
  return isMarkedSafe || IDEMPOTENT.has(method)
}

/** How often one request is sent in all. */
export const TRIES_MAX = 4
/** The largest body that is kept to be sent again. */
export const REPLAY_BYTES_MAX = 8 * 1024 * 1024
/** The largest sum of kept bodies of one gateway. */
export const REPLAY_BYTES_ALL = 256 * 1024 * 1024

/** Answers that another replica may do better. */
export function isWorthRetry(status: number): boolean {
  return status === 500 || status === 502 || status === 503 || status === 504
}

/** Retries that are left: a share of the requests, so that an overload is not multiplied. */
export interface RetryBudget {
  readonly tokens: number
}

/** How many are left at most, and what each request adds. */
export interface BudgetTerms {
  readonly most: number
  readonly aRequest: number
}

/** At most a fifth of the requests are sent again, beyond the first. */
export const RETRIES: BudgetTerms = { most: 200, aRequest: 0.2 }

export function earned(budget: RetryBudget, { most, aRequest }: BudgetTerms): RetryBudget {
  return budget.tokens >= most ? budget : { tokens: Math.min(most, budget.tokens + aRequest) }
}

/** The budget after one retry; undefined: there is none left. */
export function spent({ tokens }: RetryBudget): RetryBudget | undefined {
  return tokens < 1 ? undefined : { tokens: tokens - 1 }
}
