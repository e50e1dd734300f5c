import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'

it('is started again for as long as it cannot start, such as on a full disk', () => {
  const unit = readFileSync('agent/alidade-agent.service', 'utf8')
  expect(unit.slice(0, unit.indexOf('[Service]'))).toMatch(/^StartLimitIntervalSec=0$/m)
  expect(unit).toMatch(/^Restart=always$/m)
})
