import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

const WINDOW = { start: 'now-5m' }

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
  const logs = ['1.1', '1.10', '1.10', '01', 7].map(release => ({ message: 'released', log_fields: { release } }))
  await service.write('/api/v1/logs/batch', { logs })
})
afterAll(() => service.close())

async function count(query: string): Promise<number> {
  const { total } = await service.ok(service.post('/api/v1/logs/query', { ...WINDOW, query, limit: 0, total: true }))
  return (total as { value: number }).value
}

async function selected(query: string): Promise<readonly string[]> {
  const { facets } = await service.ok(service.post('/api/v1/logs/facets', { ...WINDOW, query, fields: ['release'] }))
  const [facet] = facets as readonly [{ values: readonly { value: string; selected: boolean }[] }]
  return facet.values.flatMap(({ value, selected: isSelected }) => (isSelected ? [value] : [])).toSorted()
}

describe('a field with strings that are numbers', () => {
  it.each([
    ['release:"1.10"', 2],
    ['release:"1.1"', 1],
    ['release:("1.1" OR "1" OR "7")', 2],
    ['-release:"1.10"', 3],
    ['release:"7.0"', 0]
  ])('has the string in quotes: %s', async (query, expected) => expect(await count(query)).toBe(expected))

  it.each([
    ['release:1.10', 3],
    ['release:1', 1],
    ['release:7.0', 1],
    ['-release:1.1', 2]
  ])('has all spellings of a number without quotes: %s', async (query, expected) => expect(await count(query)).toBe(expected))

  it('has its values selected in its facet', async () => {
    expect(await selected('release:("1.1" OR "7")')).toEqual(['1.1', '7'])
    expect(await selected('release:"1.10"')).toEqual(['1.10'])
  })
})
