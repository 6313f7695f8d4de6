import { describe, expect, test } from 'vitest'
import { readTraceFile } from './trace-file.ts'

describe('a trace file', () => {
  test('is read with quotes, a byte order mark and any line ends', () => {
    const read = readTraceFile('\uFEFFname,arrival_s,models\r\n"a,1",5,"L4|T4"\r\nb,0,\r\n', 'trace.csv')
    expect('arrivals' in read && read.arrivals.map(({ name, arrivalS }) => [name, arrivalS])).toEqual([
      ['b', 0],
      ['a,1', 5],
    ])
  })

  test('has problems with the line they stand on, marked where the text is', () => {
    const read = readTraceFile('name,arrival_s\n"a,1",soon\nb,late\n', 'trace.csv')
    expect(
      'problems' in read && read.problems.map(({ place, sourceLine }) => [place?.line, place?.column, sourceLine]),
    ).toEqual([
      [2, 7, '"a,1",soon'],
      [3, 3, 'b,late'],
    ])
  })
})
