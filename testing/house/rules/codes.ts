import { at, type NodeOf, type Rule, type Source } from '../source.ts'

const CODE = /^[A-Z]{2,}(_[A-Z]+)+$/

/** Not ours to explain: OpenSSL's, and the classes of a provider's faults, which are a type of their own. */
const OTHERS = new Set(['SELF_SIGNED_CERT_IN_CHAIN', 'BAD_REQUEST', 'OFFER_GONE'])
/** Functions that take the name of a variable of the environment. */
const ENVIRONMENT = new Set(['env'])

/** Every code that shipped code gives (`code: 'X'`, `refuse('X', …)`) is in the index, from which its page is written. */
export function knownCodes(index: ReadonlySet<string>): Rule {
  return (sources) =>
    sources
      .filter((source) => source.isShipped)
      .flatMap((source) =>
        givenCodes(source)
          .filter(({ value }) => CODE.test(value) && !index.has(value) && !OTHERS.has(value))
          .map(({ value, start }) => at(source, source.lineAt(start), `gives ${value}, which is not in src/codes`)),
      )
}

/** Every code of the index is given somewhere in shipped code. */
export function usedCodes(index: ReadonlySet<string>): Rule {
  return (sources) => {
    const shipped = sources.filter((source) => source.isShipped)
    const said = new Set(shipped.flatMap((source) => source.nodes('Literal').map(({ value }) => value)))
    return [...index].filter((code) => !said.has(code)).map((code) => `${code} is in src/codes and never given`)
  }
}

interface Given {
  readonly value: string
  readonly start: number
}

/** Texts that stand as the value of a key `code`, or first in a call. */
function givenCodes(source: Source): readonly Given[] {
  const valued = source.nodes('Property').filter(({ key }) => key.type === 'Identifier' && key.name === 'code')
  const called = source.nodes('CallExpression').filter((call) => !ENVIRONMENT.has(calleeOf(call)))
  return [...valued.map(({ value }) => value), ...called.map(({ arguments: [first] }) => first)].flatMap((node) =>
    node?.type === 'Literal' && typeof node.value === 'string' ? [{ value: node.value, start: node.start }] : [],
  )
}

function calleeOf({ callee }: NodeOf<'CallExpression'>): string {
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : ''
}
