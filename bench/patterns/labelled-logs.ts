import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suitePath } from '../../test/support/suite-path.js'
import { parseCsv } from '../../test/suites/csv.js'

const LINES_OF = '_2k.log_structured.csv'

/** Messages whose templates are known. */
export interface LabelledLogs {
  readonly name: string
  readonly messages: readonly string[]
  /** The true event and its template, of each message. */
  readonly events: readonly string[]
  readonly templates: readonly string[]
}

/** All sets of loghub that are next to the repository; none where they are missing. */
export function labelledLogs(): readonly LabelledLogs[] {
  const folder = suitePath('loghub')
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter(name => existsSync(join(folder, name, name + LINES_OF)))
  return names.map(name => {
    const rows = parseCsv(readFileSync(join(folder, name, name + LINES_OF), 'utf8'))
    return {
      name,
      messages: rows.map(row => row['Content']!),
      events: rows.map(row => row['EventId']!),
      templates: rows.map(row => row['EventTemplate']!)
    }
  })
}
