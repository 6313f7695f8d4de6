import { lookup as resolve, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Addresses of this host, of private networks, of links and of metadata services: no cloud's API is there. */
const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv6')
}

/** Whether an IP address is not on the public internet. An address that embeds an IPv4 address is judged by that one, too. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  if (isIP(plain) === 0) return true
  if (isIP(plain) === 4) return PRIVATE.check(plain, 'ipv4')
  const embedded = embeddedIn(plain)
  return PRIVATE.check(plain, 'ipv6') || (embedded !== undefined && PRIVATE.check(embedded, 'ipv4'))
}

/** The IPv4 address inside a mapped (`::ffff:`), translated (`64:ff9b::`) or 6to4 (`2002:`) one. */
function embeddedIn(address: string): string | undefined {
  const words = wordsOf(address)
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff
  const isTranslated = words[0] === 0x64 && words[1] === 0xff9b
  if (words[0] === 0x2002) return dotted(words[1] ?? 0, words[2] ?? 0)
  return isMapped || isTranslated ? dotted(words[6] ?? 0, words[7] ?? 0) : undefined
}

function wordsOf(address: string): readonly number[] {
  const dots = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [a = 0, b = 0, c = 0, d = 0] = (dots ?? []).slice(1).map(Number)
  const hex = dots === null ? address : address.replace(dots[0], `${hexOf(a, b)}:${hexOf(c, d)}`)
  const [head = '', tail] = hex.split('::')
  const [left, right] = [partsOf(head), tail === undefined ? [] : partsOf(tail)]
  const gap = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => 0)
  return [...left, ...gap, ...right]
}

function partsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((part) => Number.parseInt(part, 16))
}

function hexOf(high: number, low: number): string {
  return (high * 256 + low).toString(16)
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The words in the error of a call that was not made because of where it would go. */
export const NOT_PUBLIC = 'is not an address on the public internet'

/**
 * Resolves names as usual, and refuses those that lead to an address of a private network. The connection goes to the very
 * address that was checked: a name that changes its mind in between gains nothing.
 */
export const publicLookup: LookupFunction = (host, options, answer) => {
  resolve(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error !== null) return answer(error, [])
    const hidden = found.find(({ address }) => isPrivateAddress(address))
    if (hidden !== undefined) return answer(new Error(`${host} (${hidden.address}) ${NOT_PUBLIC}`), [])
    const [first] = found
    if (options.all === true || first === undefined) return answer(null, found)
    answer(null, first.address, first.family)
  })
}
