import { describe, expect, it } from '@jest/globals'
import { exportEnd } from '../../../console/src/logs/export-end.js'
import { filterConditions, filterText } from '../../../console/src/logs/filter-text.js'

describe('the end of an exported file', () => {
  it('is read from every format', () => {
    const json = '{"complete":true,"rows":12,"sha256":"ab","window":{},"warnings":[]}'
    const whole = { isComplete: true, rows: 12, warnings: [] }
    expect(exportEnd(`{"message":"complete=false rows=1"}\n${json}\n`)).toEqual(whole)
    expect(exportEnd('x,y\r\n# complete=true rows=12 sha256=ab start=s end=e\r\n')).toEqual(whole)
    expect(exportEnd(`PAR1...alidade.export\u0018${json}\u0018\u0007alidadePAR1`)).toEqual(whole)
  })

  it('has the reasons of an incomplete one', () => {
    const warnings = ['the limit of 5 rows was reached', 'one "more"']
    const tail = `# complete=false rows=5 sha256=ab start=s end=e warnings=${JSON.stringify(warnings)}\r\n`
    expect(exportEnd(tail)).toEqual({ isComplete: false, rows: 5, warnings })
  })

  it('is missing from a file that was cut', () => {
    expect(exportEnd('{"id":"1"}\n{"id":"2"')).toBeNull()
  })
})

describe('the search of a filter', () => {
  it('has logs with levels other than the known ones, which the page calls unknown', () => {
    const unknown = '(level:* -level:(trace OR debug OR info OR warn OR error OR fatal))'
    expect(filterText({ levels: ['UNKNOWN'] })).toBe(`(${unknown})`)
    expect(filterText({ query: 'a OR b', levels: ['INFO', 'UNKNOWN'], services: ['s'] })).toBe(
      `(a OR b) (level:(info) OR ${unknown}) service:s`
    )
    expect(filterText({ query: 'x', levels: ['WARN'] })).toBe('x level:warn')
    const where = [{ field: 'level', op: 'IN' as const, values: ['error', 'loud'] }]
    expect(filterText({ where })).toBe('level:(error OR loud)')
  })

  it('compares an unknown level by the query: the field has no value for it', () => {
    expect(filterConditions({ levels: ['INFO', 'UNKNOWN'], hosts: ['h'] })).toEqual({
      query: filterText({ levels: ['INFO', 'UNKNOWN'] }),
      chosen: { host: ['h'] }
    })
    expect(filterConditions({ query: 'x', levels: ['INFO'] })).toEqual({ query: 'x', chosen: { level: ['info'] } })
  })
})
