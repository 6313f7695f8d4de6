import { Dice } from '../../core/base/dice.ts'

/** Machines: 8 cards of G2 and 2 of T4 each; listed backwards, because their order in the file means nothing. */
const NODES = Array.from({ length: 12 }, (_, index) => {
  const id = `node-${String(11 - index).padStart(2, '0')}`
  return index % 3 === 0 ? `${id},32000,131072,2,T4` : `${id},96000,393216,8,G2`
})

/** Work of few kinds: shares, whole cards, several cards, the choosy, and some without cards. */
const KINDS = [
  '4000,8192,1,810,',
  '4000,8192,1,500,',
  '2000,8192,1,250,',
  '8000,32768,1,1000,',
  '8000,32768,1,1000,T4',
  '32000,131072,4,1000,G2|G3',
  '88000,262144,8,1000,',
  '8000,16384,0,0,',
  '1000,1024,1,1000,H9',
] as const

const PODS = Array.from({ length: 120 }, (_, index) => {
  const kind = KINDS[(index * 7) % KINDS.length] ?? KINDS[0]
  const born = index * 60
  return `pod-${String(index).padStart(3, '0')},${kind},${born},${born + 600 * (1 + (index % 9))}`
})

const PODS_HEAD = 'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec'

/** A folder with the layout of the openb data: two traces, one of which does not tell lifetimes; seeds 1 to 3. */
export function openbFolder(): Readonly<Record<string, string>> {
  const orders = JSON.stringify({ seeds: Object.fromEntries([1, 2, 3].map((seed) => [seed, orderOf(seed)])) })
  return {
    'openb/openb_node_list_gpu_node.csv': ['sn,cpu_milli,memory_mib,gpu,model', ...NODES, ''].join('\n'),
    'openb/openb_pod_list_small.csv': [`${PODS_HEAD},creation_time,deletion_time`, ...PODS, ''].join('\n'),
    'openb/openb_pod_list_timeless.csv': [PODS_HEAD, ...PODS.map(withoutTimes), ''].join('\n'),
    'openb/orders/small.json.gz': orders,
    'openb/orders/timeless.json.gz': orders,
  }
}

/** Every pod once, and then any until there is more than enough. */
function orderOf(seed: number): { readonly pods: readonly number[]; readonly nodeRank: readonly number[] } {
  const dice = new Dice(seed)
  const more = Array.from({ length: 60 }, () => dice.roll(PODS.length))
  return { pods: [...shuffled(PODS.length, dice), ...more], nodeRank: shuffled(NODES.length, dice) }
}

function shuffled(length: number, dice: Dice): readonly number[] {
  const order = Array.from({ length }, (_, index) => ({ index, key: dice.next() }))
  return order.sort((one, two) => one.key - two.key).map(({ index }) => index)
}

function withoutTimes(row: string): string {
  return row.split(',').slice(0, 6).join(',')
}
