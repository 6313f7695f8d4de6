import { expect, test } from 'vitest'
import type { Answer } from '../../ports/provider.ts'
import { readPages, type RestPage } from './pages.ts'

const FAULT = { ok: false, fault: { class: 'TRANSIENT', message: 'no' } } as const

function pages(...all: readonly Answer<RestPage<number>>[]) {
  let at = 0
  return async () => all[at++] ?? FAULT
}

function page(items: readonly number[], next?: string): Answer<RestPage<number>> {
  return { ok: true, value: { items, next } }
}

test('all pages together are complete', async () => {
  const read = await readPages(pages(page([1, 2], 'b'), page([3], 'c'), page([])))
  expect(read).toEqual({ ok: true, value: { items: [1, 2, 3], complete: true } })
})

test('a page that is missing makes it incomplete, and a first one is a fault', async () => {
  expect(await readPages(pages(page([1], 'b'), FAULT))).toMatchObject({
    ok: true,
    value: { items: [1], complete: false },
  })
  expect(await readPages(pages(FAULT))).toEqual(FAULT)
})

test('a list that goes in circles, or does not end, is incomplete', async () => {
  const circle = await readPages(async () => page([1], 'again'))
  expect(circle).toMatchObject({ ok: true, value: { items: [1, 1], complete: false } })
  let at = 0
  const endless = await readPages(async () => page([at++], `${at}`), 5)
  expect(endless).toMatchObject({ ok: true, value: { items: [0, 1, 2, 3, 4], complete: false } })
})
