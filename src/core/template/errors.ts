import type { ErrorDoc } from '../base/error-doc.ts'

/** What can be wrong with a template or with a launch from one. `status` is the one that HTTP has for it. */
export const TEMPLATE_ERRORS = {
  TEMPLATE_PLACE: {
    status: 422,
    title: 'place for a value is not written right',
    why: 'A value goes where a template says ${name}. The name is missing, the brace is not closed, or it stands in a key, where no value can go.',
    fix: 'Write ${name} with a declared parameter. Where a real dollar sign is meant, write two: $$.',
  },
  PARAMETER_UNKNOWN: {
    status: 422,
    title: 'no such parameter',
    why: 'The template does not declare a parameter of this name.',
    fix: 'Use one of the names that the message lists, or declare it under `parameters` and push the template again.',
  },
  PARAMETER_UNUSED: {
    status: 422,
    title: 'parameter is never used',
    why: 'The parameter is declared, but no ${name} takes its value: whoever set it would change nothing.',
    fix: 'Use it in the manifest, or remove it from `parameters`.',
  },
  PARAMETER_MISSING: {
    status: 422,
    title: 'parameter without a value',
    why: 'The parameter has no default, so every launch has to give it a value.',
    fix: 'Give it with --set NAME=VALUE.',
  },
  PARAMETER_INVALID: {
    status: 422,
    title: 'value does not fit the parameter',
    why: 'The value is not of the type that the template declares, or not one of those it allows.',
    fix: 'The message names what would fit; `berth template show NAME` lists all parameters.',
  },
} as const satisfies Record<string, ErrorDoc & { readonly status: number }>
