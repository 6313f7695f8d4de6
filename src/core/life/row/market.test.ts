import { expect, test } from 'vitest'
import { readBody, writeBody } from './body.ts'
import { marketFormat } from './market.ts'

/** Rows as version 1 wrote them, byte by byte: a later version reads them, or has an upgrade that does. */
const GOLDEN = [
  '{"provider":"runpod","region":"EU-RO-1","machine":"NVIDIA H100 80GB HBM3 x8","facts":{"gpu":{"model":"h100-sxm","count":8,"link":"nvlink"},"cpu":160,"memoryGib":1500,"hostArch":"amd64","inbound":true,"residency":"eu","trust":"secure-cloud"},"seenMs":1800003600000,"points":[{"atMs":1800000000000,"usd":21.52,"stock":"available"},{"atMs":1800001000000,"stock":"unread"},{"atMs":1800003600000,"usd":20.99,"spotUsd":14.1,"stock":"low","units":3}]}',
  '{"provider":"vast","region":"SE","machine":"1x RTX_4090","facts":{"gpu":{"model":"h100-sxm","count":1,"slice":{"kind":"mig","profile":"1g.10gb","gib":10}},"volumeGib":1,"diskGib":2,"driver":"570.86.15","cuda":"12.8","domain":"rack"},"seenMs":1,"points":[{"atMs":1,"stock":"gone"},{"atMs":2,"stock":"sold_out","units":0},{"atMs":3,"stock":"unknown"}]}',
]

test.each(GOLDEN)('a row of the first version is read, and written as it was: %#', (text) => {
  const read = readBody(text, marketFormat)
  expect(read).toEqual({ kind: 'read', body: JSON.parse(text) })
  expect(writeBody(JSON.parse(text), marketFormat)).toBe(text)
})
