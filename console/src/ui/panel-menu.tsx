import { useState } from 'react'
import { useNamespace } from '../url/use-address.js'
import { copyText } from './copy-text.js'
import { downloadFile } from './download.js'
import { Menu, MenuItem } from './menu.js'
import styles from './panel-menu.module.css'
import type { PanelRequest } from './panel-export.js'
import { RefusedCopy } from './refused-copy.js'

/** What a panel shows, as its menu offers it to other programs. */
export interface PanelSource {
  readonly request: PanelRequest
  /** Expressions, of panels that evaluate PromQL. */
  readonly promql?: readonly string[]
}

/** A menu that copies the request of a panel and exports its result. The token is never part of it. */
export function PanelMenu(props: {
  readonly title: string
  readonly source: PanelSource
  /** The result to export; undefined before the first one. */
  readonly data: unknown
}): React.JSX.Element {
  const { title, source, data } = props
  const namespace = useNamespace()
  const [status, setStatus] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  const copy = async (text: string): Promise<void> => {
    if (await copyText(text)) setStatus('Copied')
    else setRefused(text)
  }
  const asCurl = async (): Promise<void> => {
    const { curlOf } = await import('./panel-export.js')
    await copy(curlOf(source.request, document.baseURI, namespace))
  }
  const asGraphql = async (): Promise<void> => {
    const { graphqlOf } = await import('./panel-export.js')
    await copy(graphqlOf(source.request))
  }
  const exportCsv = async (): Promise<void> => {
    const { csvOfResult } = await import('./panel-export.js')
    const csv = csvOfResult(data)
    if (csv === null) setStatus('Nothing to export')
    else downloadFile(`${title.toLowerCase().replaceAll(/\W+/g, '-')}.csv`, new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  }
  return (
    <>
      <Menu label={`Panel menu: ${title}`} kind="icon" face={<span aria-hidden="true">⋯</span>} onOpen={() => setStatus('')}>
        <MenuItem onSelect={() => void asCurl()}>Copy as curl</MenuItem>
        <MenuItem onSelect={() => void asGraphql()}>Copy as GraphQL</MenuItem>
        {source.promql && <MenuItem onSelect={() => void copy(source.promql!.join('\n'))}>Copy as PromQL</MenuItem>}
        <MenuItem disabled={data === undefined} onSelect={() => void exportCsv()}>
          Export CSV
        </MenuItem>
      </Menu>
      <span role="status" className={styles.status}>
        {status}
      </span>
      {refused !== null && <RefusedCopy label="Copy" field="Text" value={refused} onClose={() => setRefused(null)} />}
    </>
  )
}
