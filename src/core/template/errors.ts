import type { ErrorDoc } from '../base/error-doc.ts'

/** Errors of a template or of a launch from one. `status` is the HTTP status. */
export const TEMPLATE_ERRORS = {
  TEMPLATE_PLACE: {
    status: 422,
    title: 'invalid placeholder',
    why: 'A template marks the place of a value with ${name}. Here the name is missing, the brace is not closed, or the placeholder is in a key, where no value can go.',
    fix: 'Write ${name} with the name of a declared parameter. For a literal dollar sign, write $$.',
  },
  PARAMETER_UNKNOWN: {
    status: 422,
    title: 'no such parameter',
    why: 'The template does not declare a parameter with this name.',
    fix: 'Use one of the names that the message lists, or declare it under `parameters` and push the template again.',
  },
  PARAMETER_UNUSED: {
    status: 422,
    title: 'parameter is never used',
    why: 'The parameter is declared, but no ${name} uses its value, so setting it would change nothing.',
    fix: 'Use it in the manifest, or remove it from `parameters`.',
  },
  PARAMETER_MISSING: {
    status: 422,
    title: 'parameter without a value',
    why: 'The parameter has no default, so every launch must set it.',
    fix: 'Set it with --set NAME=VALUE.',
  },
  PARAMETER_INVALID: {
    status: 422,
    title: 'value does not fit the parameter',
    why: 'The value does not have the type that the template declares, or is not one of the allowed values.',
    fix: 'Use a value that the message names; `berth template show NAME` lists all parameters.',
  },
} as const satisfies Record<string, ErrorDoc & { readonly status: number }>
