import * as z from 'zod'
import { textAsWritten } from '../document/traits.ts'
import { parseSeconds, parseShare } from '../base/units.ts'
import { amount, BARE, wrongAmount } from '../requirement/fields.ts'
import { LABEL_KEY, LABEL_VALUE, LABELS_MAX } from './labels.ts'
import type { Reserve } from './manifest.ts'

export const duration = amount(parseSeconds, { word: 'a time such as 30m', form: '^(\\d+d)?(\\d+h)?(\\d+m)?(\\d+s)?$' })
export const share = amount(parseShare, { word: 'a percentage', form: '^\\d+(\\.\\d+)? ?%$' })

/** Names of things that become part of addresses: a DNS label that starts with a letter. */
export const label = z
  .string()
  .max(63)
  .regex(
    /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/,
    'A name starts with a letter and has only lower-case letters, digits and dashes.',
  )

/** Labels of a workload: a small map, for selectors. */
export const labels = z
  .record(
    z
      .string()
      .regex(
        LABEL_KEY,
        'The name of a label has letters and digits, with ._/- only between them, and at most 63 characters.',
      ),
    textAsWritten().regex(LABEL_VALUE, 'The value of a label has no comma, no = and at most 127 characters.'),
  )
  .refine((map) => Object.keys(map).length <= LABELS_MAX, `At most ${LABELS_MAX} labels.`)

export const variable = z
  .string()
  .max(256)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'A variable name has only letters, digits and underscores.')

export const words = z.array(textAsWritten().max(32_768)).max(1024)

export const absolutePath = z
  .string()
  .max(1024)
  .regex(/^(?!.*\/\.\.(?:\/|$))\//, 'This must be a path that starts with / and has no `..`.')

const IMAGE_FORM =
  /^(?:[a-zA-Z0-9.-]+(?::\d{1,5})?\/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/

export const image = z.string().max(512).regex(IMAGE_FORM, 'This is not the name of a container image.')

/** Headroom of a role: `2` replicas, or `25%` of them. */
export const reserve = textAsWritten({ word: 'a number or a percentage' })
  .meta({ pattern: '^\\d+$|^\\d+(\\.\\d+)? ?%$', type: BARE })
  .transform((text, context): Reserve => {
    const parsed = /^\d{1,4}$/.test(text) ? undefined : parseShare(text)
    if (parsed === undefined) return { kind: 'count', count: Number(text) }
    if (parsed.kind === 'amount') return { kind: 'share', share: parsed.value }
    const hint = 'Write a number of replicas, or a percentage such as 25%.'
    context.issues.push(wrongAmount(text, { ...parsed, hint }))
    return z.NEVER
  })
