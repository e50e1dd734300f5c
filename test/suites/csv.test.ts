import { describe, expect, it } from '@jest/globals'
import { parseCsv } from './csv.js'

describe('the CSV reader', () => {
  it('keeps commas, quotes and line ends inside quoted cells', () => {
    expect(parseCsv('a,b\n"1,2","a ""hi""\nthere"\r\n')).toEqual([{ a: '1,2', b: 'a "hi"\nthere' }])
  })
  it('keeps empty cells and a last line without an end', () => {
    expect(parseCsv('a,b,c\n1,,\n,,3')).toEqual([
      { a: '1', b: '', c: '' },
      { a: '', b: '', c: '3' }
    ])
  })
  it('refuses a row that is too short or a stray quote', () => {
    expect(() => parseCsv('a,b\n1\n')).toThrow('row 2 has 1 cells, the header 2')
    expect(() => parseCsv('a,b\n1,x"y\n')).toThrow('not CSV at character 6')
  })
})
