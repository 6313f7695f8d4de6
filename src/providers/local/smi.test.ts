import { expect, test } from 'vitest'
import { readSmi } from './smi.ts'

const H200 = '0, GPU-00000000-0000-4000-8000-000000000001, NVIDIA H200, 143771, 580.159.04, Disabled\n'

test('a card has its number, name, memory and driver', () => {
  expect(readSmi(H200)).toEqual({
    cards: [
      {
        index: 0,
        uuid: 'GPU-00000000-0000-4000-8000-000000000001',
        name: 'NVIDIA H200',
        memoryMib: 143_771,
        driver: '580.159.04',
        mig: false,
      },
    ],
    unread: [],
  })
})

test('what a card does not know is unknown', () => {
  const [card] = readSmi('1, GPU-0a, NVIDIA GeForce GTX 1080, [N/A], [N/A], [N/A]').cards
  expect(card).toMatchObject({ index: 1, memoryMib: undefined, driver: undefined, mig: false })
})

test('an error message is no card, and is kept for people', () => {
  const failed = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
  expect(readSmi(failed)).toEqual({ cards: [], unread: [failed] })
})
