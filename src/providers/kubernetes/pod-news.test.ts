import { expect, test } from 'vitest'
import { PodNews } from './pod-news.ts'

const never = { sleep: () => new Promise<void>(() => undefined) }
const atOnce = { sleep: () => Promise.resolve() }
const { signal } = new AbortController()

function pod(name: string, nodeName?: string) {
  return {
    metadata: { name, uid: 'u', resourceVersion: '1', annotations: {} },
    spec: { containers: [{ name: 'main', image: 'i' }], nodeName },
    status: { phase: 'Pending' },
  }
}

test('whoever follows a pod hears of it, and nobody else does', async () => {
  const news = new PodNews()
  const [one, two, other] = [news.follow('a'), news.follow('a'), news.follow('b')]
  const heard = one.news(never, 1, signal)
  news.tell(pod('a', 'gpu-1'))
  expect(await heard).toBe(true)
  expect([one.latest?.node, two.latest?.node, other.latest]).toEqual(['gpu-1', 'gpu-1', undefined])
})

test('without news the wait is over in time', async () => {
  const story = new PodNews().follow('a')
  expect(await story.news(atOnce, 1, signal)).toBe(false)
  expect(story.latest).toBeUndefined()
})

test('a watch that tells of other pods is alive, and one that told only before is not known to be', () => {
  const news = new PodNews()
  const [before, never] = [news.follow('a'), new PodNews().follow('a')]
  news.tell(pod('b'))
  const after = news.follow('a')
  expect([before.isAlive(), after.isAlive(), never.isAlive()]).toEqual([true, false, false])
  expect(before.latest).toBeUndefined()
})

test('the latest word counts, and none after the end', () => {
  const news = new PodNews()
  const [one, two] = [news.follow('a'), news.follow('a')]
  news.tell(pod('a'))
  news.tell(pod('a', 'gpu-2'))
  expect(one.latest?.node).toBe('gpu-2')
  one.end()
  one.end()
  news.tell(pod('a', 'gpu-3'))
  expect([one.latest?.node, two.latest?.node]).toEqual(['gpu-2', 'gpu-3'])
})

test('something that is no pod is nobody’s news', () => {
  const news = new PodNews()
  const story = news.follow('a')
  for (const odd of [undefined, 'text', {}, { metadata: { name: 'a' } }, { metadata: { name: 7 } }]) news.tell(odd)
  expect(story.latest).toBeUndefined()
})
