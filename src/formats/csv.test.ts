import { describe, expect, test } from 'vitest'
import { readCsv } from './csv.ts'

function fieldsOf(text: string): readonly (readonly string[])[] {
  return [...readCsv(text).rows()].map((row) => row.fields)
}

describe('a CSV text', () => {
  test('has a header and rows that know their line', () => {
    const table = readCsv('a,b\n1,2\n3,4\n')
    expect(table.header).toEqual(['a', 'b'])
    expect([...table.rows()]).toEqual([
      { line: 2, fields: ['1', '2'], fault: undefined },
      { line: 3, fields: ['3', '4'], fault: undefined },
    ])
  })

  test('can be walked over twice', () => {
    const table = readCsv('a\n1\n')
    expect([...table.rows()]).toEqual([...table.rows()])
  })

  test('may be empty, or a header and nothing else', () => {
    expect(readCsv('').header).toEqual([])
    expect([...readCsv('').rows()]).toEqual([])
    expect(readCsv('a,b').header).toEqual(['a', 'b'])
    expect([...readCsv('a,b').rows()]).toEqual([])
  })

  test('may start with a byte order mark, which belongs to no name', () => {
    expect(readCsv('\uFEFFa,b\n1,2').header).toEqual(['a', 'b'])
    expect(readCsv('\uFEFF"a",b\n1,2').header).toEqual(['a', 'b'])
  })

  test('may end its lines with CRLF, the last one too or not', () => {
    expect(fieldsOf('a,b\r\n1,2\r\n"3",4\r\n5,"6"\r\n"7","8"\r')).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
      ['7', '8'],
    ])
    expect(fieldsOf('a,b\r\n1,2\r')).toEqual([['1', '2']])
  })

  test('may lack the last newline', () => {
    expect(fieldsOf('a,b\n1,2')).toEqual([['1', '2']])
    expect(fieldsOf('a,b\n1,"2"')).toEqual([['1', '2']])
    expect(fieldsOf('a,b\n"1",2')).toEqual([['1', '2']])
  })

  test('keeps empty fields and skips blank lines, which still count', () => {
    expect([...readCsv('a,b\n\n,\n\r\n1,\n"",x\n').rows()]).toEqual([
      { line: 3, fields: ['', ''], fault: undefined },
      { line: 5, fields: ['1', ''], fault: undefined },
      { line: 6, fields: ['', 'x'], fault: undefined },
    ])
    expect(fieldsOf('a\n""\n')).toEqual([['']])
  })

  test('skips blank lines before the header', () => {
    expect(readCsv('\n\na,b\n1,2').header).toEqual(['a', 'b'])
  })

  test('trims nothing', () => {
    expect(fieldsOf('a,b\n 1 ,\t2')).toEqual([[' 1 ', '\t2']])
  })
})

describe('a quoted field', () => {
  test('may hold commas, doubled quotes and newlines, and the lines after it are counted right', () => {
    expect([...readCsv('a,b\n"x, y","say ""hi"" ""you"""\n"two\nlines\n",3\n4,5').rows()]).toEqual([
      { line: 2, fields: ['x, y', 'say "hi" "you"'], fault: undefined },
      { line: 3, fields: ['two\nlines\n', '3'], fault: undefined },
      { line: 6, fields: ['4', '5'], fault: undefined },
    ])
  })

  test('starts with its quote: one inside a plain field is just a character', () => {
    expect(fieldsOf('a,b\n5" disk,x\nx,5"')).toEqual([
      ['5" disk', 'x'],
      ['x', '5"'],
    ])
  })

  test('may stand in the header', () => {
    expect(readCsv('"a,1",b\n1,2').header).toEqual(['a,1', 'b'])
  })
})

describe('a broken row', () => {
  test('of the wrong width is reported and does not stop the others', () => {
    expect([...readCsv('a,b\n1\n1,2,3\n1,2\n"1"').rows()]).toEqual([
      { line: 2, fields: ['1'], fault: 'width' },
      { line: 3, fields: ['1', '2', '3'], fault: 'width' },
      { line: 4, fields: ['1', '2'], fault: undefined },
      { line: 5, fields: ['1'], fault: 'width' },
    ])
  })

  test('whose quote is never closed costs its own line only', () => {
    expect([...readCsv('a,b\n"1,2\n3,4\n').rows()]).toEqual([
      { line: 2, fields: ['"1', '2'], fault: 'quote' },
      { line: 3, fields: ['3', '4'], fault: undefined },
    ])
    expect([...readCsv('a,b\n1,"2""').rows()]).toEqual([{ line: 2, fields: ['1', '"2""'], fault: 'quote' }])
  })

  test('that goes on after a closing quote costs its own line only', () => {
    expect([...readCsv('a,b\n"1"x,2\n"3"\rx,4\n"5",6\n').rows()]).toEqual([
      { line: 2, fields: ['"1"x', '2'], fault: 'quote' },
      { line: 3, fields: ['"3"\rx', '4'], fault: 'quote' },
      { line: 4, fields: ['5', '6'], fault: undefined },
    ])
  })
})
