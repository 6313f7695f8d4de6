import { InvalidArgumentError, Option } from 'commander'
import { nearest } from '../../core/document/nearest.ts'
import { POLICIES } from '../../core/pack/engine/registry.ts'

/** `--trace`: may be repeated or separated by commas. */
export function traceOption(): Option {
  return new Option('--trace <names>', 'traces to play, separated by commas; `all` plays every trace')
    .argParser(addNames)
    .makeOptionMandatory()
}

/** `--seeds`: numbers and ranges of numbers. */
export function seedsOption(): Option {
  return new Option('--seeds <list>', 'orders of arrival to play: 42-51, or 42,44,46-48').argParser(readSeeds)
}

/** `--policy`: may be repeated or separated by commas. */
export function policyOption(): Option {
  return new Option(
    '--policy <names>',
    `policies to run, separated by commas: ${Object.keys(POLICIES).join(', ')}`,
  ).argParser(addPolicies)
}

export function saveOption(): Option {
  return new Option('--save <file>', 'write the curves and figures to a file: .html, .svg, .csv or .json').argParser(
    readSavePath,
  )
}

/** The command to suggest next: other policies, or, where policies were named, saving the curves. */
export function nextOf(again: string, policies: readonly string[] | undefined): string {
  return policies === undefined ? `${again} --policy ${Object.keys(POLICIES).join(',')}` : `${again} --save curves.html`
}

/** A number from `least` to `most`. */
export function amountOption(flag: string, about: string, range: { least: number; most: number }): Option {
  return new Option(flag, about).argParser((text) => readAmount(text, range))
}

/** Numbers separated by commas. */
export function amountsOption(flag: string, about: string, range: { least: number; most: number }): Option {
  return new Option(flag, about).argParser((text) => unique(split(text).map((word) => readAmount(word, range))))
}

function addNames(text: string, before: readonly string[] | undefined): readonly string[] {
  return unique([...(before ?? []), ...split(text)])
}

function addPolicies(text: string, before: readonly string[] | undefined): readonly string[] {
  const names = split(text)
  const known = Object.keys(POLICIES)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return unique([...(before ?? []), ...names])
  const meant = nearest(unknown, known)
  throw new InvalidArgumentError(
    `There is no policy ${unknown}.${meant === undefined ? '' : ` Did you mean ${meant}?`} Policies: ${known.join(', ')}.`,
  )
}

const SEEDS_MAX = 1000
const SEED_MAX = 2 ** 31

function readSeeds(text: string): readonly number[] {
  const seeds = split(text).flatMap((word) => {
    const [, first = '', last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(word) ?? []
    const [from, to] = [Number(first), Number(last)]
    if (first === '' || from > to || to > SEED_MAX)
      throw new InvalidArgumentError(`${word} is neither a seed nor a range of seeds. For example: 42-51`)
    if (to - from >= SEEDS_MAX) throw new InvalidArgumentError(`At most ${SEEDS_MAX} seeds can be played.`)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
  return unique(seeds)
}

function readAmount(text: string, { least, most }: { least: number; most: number }): number {
  const value = /^\d{1,6}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new InvalidArgumentError(`${text} is not a number from ${least} to ${most}.`)
}

function readSavePath(text: string): string {
  if (/\.(?:html|svg|csv|json)$/.test(text)) return text
  throw new InvalidArgumentError('The file name must end in .html, .svg, .csv or .json.')
}

function split(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim())
  const found = words.filter((word) => word !== '')
  if (found.length === 0) throw new InvalidArgumentError('Give at least one value.')
  return found
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}
