import type { STORE_ERRORS } from '../codes/store-errors.ts'
import { UserError } from '../core/base/problem.ts'

/** A problem with the file or database of the store: what is wrong, and how to go on. */
export function storeProblem(code: keyof typeof STORE_ERRORS, message: string, hint: string): UserError {
  return new UserError([{ code, message, hint }])
}

export function isFull(error: unknown): boolean {
  return error instanceof UserError && error.problems[0]?.code === 'STORE_FULL'
}
