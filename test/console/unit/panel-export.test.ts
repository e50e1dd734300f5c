import { execFileSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { csvOf, csvOfResult, curlOf, graphqlOf, shellQuoted } from '../../../console/src/ui/panel-export.js'

const DOCUMENT = { toString: () => 'query Q($q: String) { logs(filter: { query: $q }) { id } }\n' }
const HOSTILE = `it's "$HOME" \`id\` \\ $(id)\nnext`

describe('a copied command', () => {
  it('gives each word to the shell as it is', () => {
    expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellQuoted(HOSTILE)}`], { encoding: 'utf8' })).toBe(HOSTILE)
  })

  it('has a placeholder in the place of the token, and the request as its body', () => {
    const command = curlOf({ document: DOCUMENT, variables: { q: HOSTILE } }, 'https://alidade.test/base/', `n'1`)
    // The function prints the arguments that curl would get.
    const script = `curl() { for word; do printf '%s\\0' "$word"; done; }; TOKEN=secret; ${command}`
    const words = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0')
    expect(words).toContain('https://alidade.test/base/graphql')
    expect(words).toContain('Authorization: Bearer secret')
    expect(words).toContain(`X-Namespace-ID: n'1`)
    expect(JSON.parse(words.at(words.indexOf('--data-raw') + 1) ?? '')).toEqual({
      query: String(DOCUMENT),
      variables: { q: HOSTILE }
    })
  })

  it('has the variables below the document', () => {
    expect(graphqlOf({ document: DOCUMENT, variables: { q: 'a' } })).toBe(`${String(DOCUMENT).trim()}\n\n{\n  "q": "a"\n}\n`)
  })
})

describe('an export as CSV', () => {
  it('quotes cells that a spreadsheet would run, and those with commas, quotes and line ends', () => {
    const cells = ['=1+1', '+1', '-1', '@x', '\tx', 'a,b', 'a "so"', 'two\nlines', 'plain', -5, null]
    const row = ['"\'=1+1"', '"\'+1"', '"\'-1"', '"\'@x"', '"\'\tx"', '"a,b"', '"a ""so"""', '"two\nlines"', 'plain', '-5', '']
    expect(csvOf(['h'], [cells])).toBe(`h\r\n${row.join(',')}\r\n`)
  })

  it('has the longest list of a result with all members of its rows', () => {
    const nodes = [
      { __typename: 'Log', id: 'a', fields: { user: { id: 1 } }, tags: ['x'] },
      { id: 'b', level: 'WARN' }
    ]
    expect(csvOfResult({ logs: { nodes, stats: { cuts: [{}, {}, {}] } } })).toBe(
      'id,fields.user,tags,level\r\na,"{""id"":1}","[""x""]",\r\nb,,,WARN\r\n'
    )
  })

  it('has the rows of all loaded pages', () => {
    const page = (id: string) => ({ rum: { list: { nodes: [{ id }] } } })
    expect(csvOfResult({ pages: [page('a'), page('b')] })).toBe('id\r\na\r\nb\r\n')
  })

  it('has one row for each point of time series', () => {
    const grid = { start: '2026-11-23T11:00:00Z', stepMs: 60_000, length: 2 }
    const series = [{ legend: 'a', values: [1, null] }, { values: [0.5, 2] }]
    expect(csvOfResult({ promql: { grid, series } })).toBe(
      'time,a,series 2\r\n2026-11-23T11:00:00Z,1,0.5\r\n2026-11-23T11:01:00Z,,2\r\n'
    )
  })

  it.each([[{}], [null], [{ logs: { nodes: [] } }]])('is absent for %j', result => {
    expect(csvOfResult(result)).toBeNull()
  })
})
