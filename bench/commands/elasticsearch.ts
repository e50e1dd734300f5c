import { searchRows } from '../elasticsearch/search-rounds.js'
import { withSearchSite } from '../elasticsearch/search-site.js'
import { writeRows } from '../elasticsearch/write-rounds.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'

const STEPS = ['exact', 'off', 'search']

/** Logs through the gateway into Elasticsearch against direct `_bulk`, and GraphQL over them against the raw search. */
export function measureElasticsearch(options: BenchOptions): Promise<Report> {
  const steps = options.only.length > 0 ? options.only : STEPS
  return withSearchSite(options.nodeArgs, async site => {
    const rows: Row[] = []
    const notes: string[] = []
    if (steps.includes('exact')) rows.push(...(await writeRows(site, 'exact', options)))
    if (steps.includes('off')) rows.push(...(await writeRows(site, 'off', options)))
    if (steps.includes('search')) {
      const searched = await searchRows(site, options)
      rows.push(...searched.rows)
      notes.push(searched.note)
    }
    return { title: 'Gateway over Elasticsearch against Elasticsearch itself', rows, notes }
  })
}
