import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawn, sized } from '../../../src/core/base/laws.suite.ts'
import { createdBy } from '../../../src/core/life/call/fault.ts'
import { CLASSIFIERS } from '../../../src/providers/replies.ts'
import { bytesOf, drawnReply, type Drawn } from './drawn.ts'

/** Replies to each. `BERTH_FUZZ=100000` tries as many. */
const EACH = Number(process.env['BERTH_FUZZ'] ?? sized({ quick: 60, whole: 2000 }))

/** What AWS' own tools print begins like this, and means what it says wherever it is cut off. */
const PRINTED = /when calling the \w+ operation|api error|^(?:Server|Client)\.|^[A-Z][a-z]+[A-Z]\w+: /

function textOf({ content }: Drawn): string {
  return Buffer.from(bytesOf(content)).toString('utf8')
}

test.each(Object.entries(CLASSIFIERS))(
  `%s: ${EACH} replies that mean nothing are passing or unknown, and a create after which something may exist says so`,
  { timeout: 120_000 + EACH * 20 },
  (_, classify) => {
    fc.assert(
      fc.property(drawnReply, fc.constantFrom('create', 'list'), (drawn, operation) => {
        const body = textOf(drawn)
        fc.pre(!PRINTED.test(body))
        const headers = drawn.type === undefined ? {} : { 'content-type': drawn.type }
        const { status } = drawn
        const fault = classify({ operation, status, headers, body })
        expect(fault.class).toMatch(/^(?:TRANSIENT|AMBIGUOUS)$/)
        expect(fault.message.length).toBeLessThanOrEqual(500)
        if (operation === 'create' && (status < 400 || status >= 500 || status === 409))
          expect(createdBy(fault)).not.toBe('no')
      }),
      { numRuns: EACH, ...drawn() },
    )
  },
)
