import { expect, it } from '@jest/globals'
import { labelNameOf } from '../../../src/http/prometheus/params.js'

it.each([
  ['job', 'job'],
  ['U__http_2e_status', 'http.status'],
  ['U__http_2E_status__code', 'http.status_code'],
  ['U__caf_e9_', 'café'],
  ['U___1f600_', '\u{1f600}'],
  ['U__', ''],
  // Not well escaped: names are kept unchanged.
  ['U__a_b', 'U__a_b'],
  ['U__a_', 'U__a_'],
  ['U___110000_', 'U___110000_'],
  ['U___d800_', 'U___d800_'],
  ['U___1234567_', 'U___1234567_'],
  ['U_a__b', 'U_a__b'],
  ['http.status', 'http.status']
])('%s is %s', (text, name) => expect(labelNameOf(text)).toBe(name))

it('is found in the time that its length allows', () => {
  expect(labelNameOf(`U__${'_'.repeat(100_000)}x_`)).toContain('U__')
})
