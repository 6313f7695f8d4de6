import { assert } from '../../base/assert.ts'

/** A number times a variable. */
export interface Term {
  readonly times: number
  readonly of: number
}

export interface ProgramRow {
  readonly terms: readonly Term[]
  readonly relation: '<=' | '=' | '>='
  readonly right: number
}

/** Variables that are whole numbers from 0 on, and rows that constrain them. */
export class Program {
  /** The upper limit of each variable. */
  readonly maxima: number[] = []
  readonly rows: ProgramRow[] = []
  readonly #variablesMax: number
  #isGivenUp = false

  constructor(variablesMax: number) {
    this.#variablesMax = variablesMax
  }

  /** Whether it has, or would need, more variables than allowed. */
  get isTooLarge(): boolean {
    return this.#isGivenUp || this.variablesLeft < 0
  }

  get variablesLeft(): number {
    return this.#variablesMax - this.maxima.length
  }

  /** Records that it would need more variables than allowed. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  /** A new variable; variables are identified by their number. */
  variable(max: number): number {
    assert(Number.isInteger(max) && max > 0, `a variable goes up to a whole number, not ${max}`)
    this.maxima.push(max)
    return this.maxima.length - 1
  }

  atMost(terms: readonly Term[], right: number): void {
    this.#add({ terms, relation: '<=', right })
  }

  equal(terms: readonly Term[], right: number): void {
    this.#add({ terms, relation: '=', right })
  }

  /** The largest value of a sum if no row limits it. */
  mostOf(terms: readonly Term[]): number {
    return terms.reduce((sum, { times, of }) => sum + Math.max(0, times * (this.maxima[of] ?? 0)), 0)
  }

  /** Rows that always hold are left out. */
  #add(row: ProgramRow): void {
    if (row.relation === '<=' && this.mostOf(row.terms) <= row.right) return
    this.rows.push(shortened(row))
  }
}

/** The name of a variable in the text. */
export function nameOf(variable: number): string {
  return `v${variable}`
}

/** The program in the LP format of CPLEX: maximise a sum, with some more rows. */
export function lpText(program: Program, sum: readonly Term[], more: readonly ProgramRow[] = []): string {
  const { maxima, rows } = program
  return [
    'Maximize',
    ` sum: ${textOf(sum)}`,
    'Subject To',
    ...[...rows, ...more].map(({ terms, relation, right }) => ` ${textOf(terms)} ${relation} ${right}`),
    'Bounds',
    ...maxima.map((max, variable) => ` 0 <= ${nameOf(variable)} <= ${max}`),
    'General',
    ...maxima.map((_, variable) => ` ${nameOf(variable)}`),
    'End',
    '',
  ].join('\n')
}

/** The greatest whole number that divides all of these. */
export function greatestDivisor(numbers: readonly number[]): number {
  return numbers.reduce((divisor, number) => euclid(divisor, Math.abs(number)), 0)
}

/** Small numbers are solved more exactly than large ones, so coefficients are divided by their common divisor. */
function shortened({ terms, relation, right }: ProgramRow): ProgramRow {
  const divisor = greatestDivisor(terms.map(({ times }) => times))
  if (divisor <= 1 || (relation !== '<=' && right % divisor !== 0)) return { terms, relation, right }
  return {
    terms: terms.map(({ times, of }) => ({ times: times / divisor, of })),
    relation,
    right: Math.floor(right / divisor),
  }
}

function euclid(one: number, two: number): number {
  return two === 0 ? one : euclid(two, one % two)
}

function textOf(terms: readonly Term[]): string {
  return terms.map(({ times, of }) => `${times < 0 ? '-' : '+'} ${Math.abs(times)} ${nameOf(of)}`).join(' ')
}
