import type { Dice } from '../../../src/core/base/dice.ts'
import type { Order } from '../../../src/core/life/call/order.ts'
import { freshTag } from '../../../src/providers/contract/bench.suite.ts'
import { sampleOrder } from '../../../src/providers/sim/bench.suite.ts'

const LARGE = 64 * 1024

/** Pieces that mean something to shells, YAML, JSON, docker, printf or terminals. `touch` leaves a mark if anything runs them. */
const PIECES = [
  '$(touch /owned)',
  '`touch /owned`',
  '; touch /owned; ',
  '| touch /owned',
  '&& touch /owned #',
  "'; touch /owned; '",
  '"; touch /owned; "',
  '\n touch /owned\n',
  '\r\n',
  "'",
  '"',
  '\\',
  '\\n',
  '\\u0000',
  '%s%n%00',
  '$HOME',
  '${PATH}',
  '$0 $1 $@ $$',
  '*',
  '~',
  '?[a-z]{1,2}',
  '<<END',
  'END\n',
  '\nEND\n',
  '# comment',
  '#cloud-config\n',
  ': - & * ! | > @',
  '{{ .Names }}',
  '--privileged',
  '-v /:/host',
  '=',
  ' ',
  '\t',
  '\u0001\u001b[31m\u007f',
  'ünïcödé',
  '💥👩‍👩‍👧',
  '\u202e\u2028\ufeff',
  'נתונים 数据',
  'a',
  'Z9',
] as const

/** A text as hostile as it gets: some pieces, now and then 64 KiB of them. No text has a NUL, which no program can be given. */
function hostileText(dice: Dice): string {
  const isLarge = dice.oneIn(250)
  const count = dice.roll(12)
  let text = ''
  for (let index = 0; index < count; index++) text += dice.pick(PIECES)
  if (!isLarge) return text
  while (text.length < LARGE) text += dice.pick(PIECES)
  // Bytes count, not characters: at most this long for the kernel as well.
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, LARGE)).replaceAll('\ufffd', '')
}

/** What a container is told to do: to write down what it was given, and nothing else. */
const DUMP = 'cat /proc/$$/cmdline > /cmdline; cat /proc/$$/environ > /environ'

/** An order with so many hostile texts: a third each as values of variables, in the command and as arguments. */
export function hostileOrder(dice: Dice, count: number): Order {
  const texts = (many: number): readonly string[] => Array.from({ length: many }, () => hostileText(dice))
  const third = Math.floor(count / 3)
  const values = texts(count - 2 * third)
  const env = Object.fromEntries(values.map((value, index) => [nameOf(dice, index), value]))
  const command = ['/bin/sh', '-c', DUMP, ...texts(third)]
  const order = { ...sampleOrder({ kind: 'long' }), tag: freshTag(), image: IMAGE, gpus: 0, ports: [] }
  return { ...order, env, command, args: texts(third) }
}

export const IMAGE = 'localhost/berth-hostile:1'

function nameOf(dice: Dice, index: number): string {
  return `${dice.pick(['V', '_', 'v_', 'LONG_NAME_', 'IFS_', 'PS4_', 'BASH_ENV_'])}${index}`
}
