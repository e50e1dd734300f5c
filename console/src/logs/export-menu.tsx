import { useState } from 'react'
import { useApi } from '../api/context.js'
import { plural } from '../format/number.js'
import { downloadFile } from '../ui/download.js'
import { Menu, MenuItem, MenuLabel } from '../ui/menu.js'
import styles from '../ui/panel-menu.module.css'
import { exportEnd } from './export-end.js'
import { filterText } from './filter-text.js'
import type { LogSearch } from './use-log-search.js'

const FORMATS = { csv: 'CSV', ndjson: 'NDJSON', parquet: 'Parquet' } as const
type Format = keyof typeof FORMATS

/** What a tab holds until the file is saved: 1 GB of ordinary logs. */
const MAX_ROWS = 1_000_000
/** The end of a file is in its last bytes. */
const TAIL_BYTES = 64 * 1024

/** Saves all logs of the search as a file, and states whether it has all of them. */
export function ExportMenu({ query: { namespace, window, filter } }: { readonly query: LogSearch }): React.JSX.Element {
  const api = useApi()
  const [status, setStatus] = useState('')
  const save = async (format: Format): Promise<void> => {
    setStatus('Exporting…')
    try {
      const json = { query: filterText(filter), start: window.from, end: window.to, format, limit: MAX_ROWS }
      const file = await api.file('api/v1/logs/export', { namespace, method: 'POST', json })
      const end = exportEnd(await file.slice(-TAIL_BYTES).text())
      if (end === null) throw new Error('the file has no end')
      downloadFile(`logs-${namespace}.${format}`, file)
      const count = plural(end.rows, 'log')
      setStatus(end.isComplete ? `Exported ${count}` : `Exported ${count}, incomplete: ${end.warnings.join(' ')}`)
    } catch (error) {
      setStatus(`Export failed: ${(error as Error).message}`)
    }
  }
  return (
    <>
      <Menu label="Export" onOpen={() => setStatus('')}>
        <MenuLabel>All logs of the search</MenuLabel>
        {(Object.keys(FORMATS) as readonly Format[]).map(format => (
          <MenuItem key={format} onSelect={() => void save(format)}>
            {FORMATS[format]}
          </MenuItem>
        ))}
      </Menu>
      <span role="status" className={styles.status}>
        {status}
      </span>
    </>
  )
}
