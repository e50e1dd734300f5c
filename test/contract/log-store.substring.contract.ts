import { expect, it } from '@jest/globals'
import { known, messagesOf, storeApart } from './log-fixtures.js'
import { describeStores, newNamespace, type OpenStores } from './store-under-test.js'

const MESSAGES = [
  'item 42 out-of-stock in Basel',
  'connect to 10.0.0.1:5432 refused',
  'connect to 10.0.0.123 refused',
  'connect to 10a0b0c1 refused',
  'user_id=7 logged in',
  'userXid=7 logged in',
  'ÉCLAIR au chocolat',
  'éclair au café',
  'ECLAIR without accent',
  'progress 50% done',
  'progress 50 done',
  'glob *.log matched',
  'path C:\\temp\\x',
  'it\'s a quote " here',
  'ΣΊΣΥΦΟΣ pushes',
  'σίσυφος pushes again',
  'Straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'ſtrange K sign',
  'emoji \u{1f680} launch',
  'two\nlines',
  'tab\there',
  ''
] as const

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['out-of-stock', ['item 42 out-of-stock in Basel']],
  ['OUT-OF-STOCK', ['item 42 out-of-stock in Basel']],
  ['t-of-s', ['item 42 out-of-stock in Basel']],
  ['10.0.0.1', ['connect to 10.0.0.1:5432 refused', 'connect to 10.0.0.123 refused']],
  ['user_id', ['user_id=7 logged in']],
  ['éclair', ['ÉCLAIR au chocolat', 'éclair au café']],
  ['ÉCLAIR', ['ÉCLAIR au chocolat', 'éclair au café']],
  ['eclair', ['ECLAIR without accent']],
  ['%', ['progress 50% done']],
  ['50% d', ['progress 50% done']],
  ['_', ['user_id=7 logged in']],
  ['*', ['glob *.log matched']],
  ['\\', ['path C:\\temp\\x']],
  ['\\TEMP\\', ['path C:\\temp\\x']],
  ['"', ['it\'s a quote " here']],
  ["'", ['it\'s a quote " here']],
  ['σίσυφοσ', ['ΣΊΣΥΦΟΣ pushes', 'σίσυφος pushes again']],
  ['ΣΊΣΥΦΟς', ['ΣΊΣΥΦΟΣ pushes', 'σίσυφος pushes again']],
  ['STRASSE', ['STRASSE']],
  ['straße', ['Straße']],
  ['STRAẞE', ['Straße']],
  ['istanbul', ['istanbul']],
  ['İstanbul', ['İstanbul']],
  ['strange k', ['ſtrange K sign']],
  ['K SIGN', ['ſtrange K sign']],
  ['\u{1f680}', ['emoji \u{1f680} launch']],
  ['o\nl', ['two\nlines']],
  ['b\th', ['tab\there']],
  ['', MESSAGES]
]

/** Substring search: exact, case-insensitive by Unicode's simple folding, no character special. */
export function logSubstringContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore substrings`, open, of => {
    it('finds every text in messages and free fields alike', async () => {
      const ns = newNamespace()
      const sketches = MESSAGES.map(message => ({ message, service: message, fields: { copy: message, many: ['-', message] } }))
      await storeApart(of().logs, ns, sketches)
      for (const [value, expected] of CASES) {
        const sorted = [...expected].sort()
        const inMessage = await messagesOf(of().logs, ns, { kind: 'contains', field: known('message'), value })
        expect([value, inMessage]).toEqual([value, sorted])
        if (value === '') continue
        for (const field of [{ in: 'free', name: 'copy' }, { in: 'log_fields', name: 'many' }, known('service')] as const) {
          expect([value, field, await messagesOf(of().logs, ns, { kind: 'contains', field, value })]).toEqual([
            value,
            field,
            sorted
          ])
        }
      }
    })

    it('does not find a text across two values', async () => {
      const ns = newNamespace()
      await storeApart(of().logs, ns, [{ message: 'm', fields: { many: ['ab', 'cd'] } }])
      const field = { in: 'free', name: 'many' } as const
      expect(await messagesOf(of().logs, ns, { kind: 'contains', field, value: 'bc' })).toEqual([])
      expect(await messagesOf(of().logs, ns, { kind: 'contains', field, value: '","' })).toEqual([])
    })
  })
}
