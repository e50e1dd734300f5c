import { describe } from '@jest/globals'
import { alertPointCases } from './alert-points.js'

describe('kill -9 at each fail point of alerts, on the embedded control store', () => {
  alertPointCases(() => Promise.resolve(null))
})
