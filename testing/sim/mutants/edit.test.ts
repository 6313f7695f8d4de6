import { expect, test } from 'vitest'
import { edited } from './edit.ts'

const TEXT = `
export class Lease {
  #untilMs = 0
  async #renew(askedMs: number): Promise<void> {
    // One of them counts.
    this.#untilMs = askedMs + this.tuning.leaseMs
  }
  holds(): boolean {
    if ((this.#untilMs) >
      nowMs()) return true
    return false
  }
}
export function isOver(untilMs: number): boolean {
  if (untilMs < 0) return true
  else if (untilMs === 0) log('zero')
  else return false
}
const RULES = { 'lease.read': { roles: READERS }, 'lease.change': { roles: WRITERS, ttl: 1 } }
`

test('a place is found by what it says, however it is written', () => {
  const edit = { within: 'Lease.holds', find: 'if (this.#untilMs > nowMs()) return true', replace: '' }
  expect(edited(TEXT, edit)).toContain('boolean {\n    \n    return false')
})

test('a name with a dollar stands for anything, and is there to write again', () => {
  const edit = {
    within: 'Lease.#renew',
    find: 'this.$held = $_ + this.tuning.leaseMs',
    replace: 'this.$held = Infinity',
  }
  expect(edited(TEXT, edit)).toContain('    this.#untilMs = Infinity\n')
})

test('the same name stands for the same thing', () => {
  const twice = (find: string): string =>
    edited('function f() { a(b, c); a(b, b) }', { within: 'f', find, replace: 'd' })
  expect(twice('a($x, $x)')).toBe('function f() { a(b, c); d }')
  expect(() => twice('a($_, $_)')).toThrow('2 places in f')
})

test('it stands for a whole statement too', () => {
  const edit = { within: 'isOver', find: 'if ($ms === 0) $tell; else $end;', replace: 'if (true) $tell\n  else $end' }
  expect(edited(TEXT, edit)).toContain("else if (true) log('zero')\n  else return false")
})

test('what stands under a key is found by the key', () => {
  const edit = { within: "RULES['lease.change']", find: 'WRITERS', replace: 'EVERYBODY' }
  expect(edited(TEXT, edit)).toContain("'lease.change': { roles: EVERYBODY, ttl: 1 }")
})

test('a function or a place that is not there is told by name', () => {
  expect(() => edited(TEXT, { within: 'Lease.drop', find: 'x', replace: '' })).toThrow('there is no Lease.drop')
  expect(() => edited(TEXT, { within: 'Lease.holds', find: 'askedMs', replace: '' })).toThrow('nothing in Lease.holds')
  expect(() => edited(TEXT, { within: 'isOver', find: 'a; b', replace: '' })).toThrow('is not one expression')
})
