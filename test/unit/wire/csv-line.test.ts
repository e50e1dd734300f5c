import { describe, expect, it } from '@jest/globals'
import { csvLine } from '../../../src/wire/csv/csv-line.js'

const SAFE = { escapesFormulas: true }

describe('a line of CSV', () => {
  it('quotes what would not be one cell otherwise, and distinguishes an empty string from nothing', () => {
    expect(csvLine(['a', 'b,c', 'so "x"', 'two\nlines', 'a;b', '', null, 7, -1.5, 12n, true], SAFE)).toBe(
      'a,"b,c","so ""x""","two\nlines","a;b","",,7,-1.5,12,true\r\n'
    )
  })

  it.each(['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＠x'])('keeps %j from being a formula', text => {
    const [cell] = csvLine([text], SAFE).split('\r\n')
    expect(cell).toBe(`"'${text}"`)
    expect(csvLine([text], { escapesFormulas: false })).not.toContain("'")
  })

  it.each(['-5', '+5', '-1.25', '-1e9'])('leaves the number %s as it is', text => {
    expect(csvLine([text], SAFE)).toBe(`${text}\r\n`)
  })

  it('hides no formula behind the separator of other spreadsheets', () => {
    expect(csvLine(['x;=1+1', 'y\t=1+1'], SAFE)).toBe('"x;=1+1","y\t=1+1"\r\n')
  })

  it('begins no line of data like the last line of a file', () => {
    expect(csvLine(['# complete=true'], SAFE)).toBe('"# complete=true"\r\n')
  })
})
