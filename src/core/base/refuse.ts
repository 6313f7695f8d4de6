import { UserError } from './problem.ts'

/** One problem with a request: what is wrong, and how to go on. */
export function refuse(code: string, message: string, hint?: string): UserError {
  return new UserError([{ code, message, ...(hint !== undefined && { hint }) }])
}

/** There is no such object. */
export function notFound(kind: string, { project, name }: { readonly project?: string; readonly name: string }) {
  const where = project === undefined ? '' : ` in project ${project}`
  return refuse('NOT_FOUND', `There is no ${kind} ${name}${where}.`)
}
