import { LogRowsDocument } from '../api/generated/LogRows.js'
import { useShortcuts } from '../app/use-shortcuts.js'
import { AlertLink } from '../ui/alert-link.js'
import { Button } from '../ui/button.js'
import { CompareSelect } from '../ui/compare-select.js'
import { PanelMenu } from '../ui/panel-menu.js'
import { WINDOW_BEFORE } from '../url/comparison.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { ColumnsMenu } from './columns-menu.js'
import { ExportMenu } from './export-menu.js'
import { filterText } from './filter-text.js'
import { WRAP_KEY } from './log-list.js'
import type { Shown } from './log-view.js'
import { type LogRow, type LogSearch, PAGE_ROWS } from './use-log-search.js'

/** Starts the live tail, and ends it. */
function LiveButton({ isOn }: { readonly isOn: boolean }): React.JSX.Element {
  const { change } = useAddress()
  return (
    <Button aria-pressed={isOn} onClick={() => change({ live: isOn ? null : '1' })}>
      Live tail
    </Button>
  )
}

/** Breaks long messages into lines. */
function WrapButton(): React.JSX.Element {
  const { search, change } = useAddress()
  const isOn = one(search, WRAP_KEY) === '1'
  const toggle = (): void => change({ [WRAP_KEY]: isOn ? null : '1' }, { replace: true })
  useShortcuts({ w: toggle })
  return (
    <Button aria-pressed={isOn} title="Wrap messages (w)" onClick={toggle}>
      Wrap
    </Button>
  )
}

/** Shows the patterns of the search, or measures of its fields, instead of its rows. */
function ViewButton(props: {
  readonly view: 'patterns' | 'measure'
  readonly shown: Shown
  readonly children: string
}): React.JSX.Element {
  const { change } = useAddress()
  const { view, shown, children } = props
  const isOn = shown === view
  return (
    <Button aria-pressed={isOn} onClick={() => change({ view: isOn ? null : view })}>
      {children}
    </Button>
  )
}

/** Compares the search with the one in the window before, or in the one that the address names. */
function CompareButton({ isOn }: { readonly isOn: boolean }): React.JSX.Element {
  const { search, change } = useAddress()
  // The histogram draws the other window, too.
  const cmp = one(search, 'cmp') ?? WINDOW_BEFORE
  return (
    <Button aria-pressed={isOn} onClick={() => change(isOn ? { view: null } : { view: 'compare', cmp })}>
      What changed
    </Button>
  )
}

/** Controls at the end of the line of a live tail. */
export function LiveTools({ window }: Pick<LogSearch, 'window'>): React.JSX.Element {
  return (
    <>
      <LiveButton isOn />
      <WrapButton />
      <ColumnsMenu window={window} />
    </>
  )
}

/** Controls at the end of the line of the result. */
export function ListTools(props: {
  readonly query: LogSearch
  readonly view: Shown
  readonly loaded: readonly LogRow[]
  readonly at: string | null
}): React.JSX.Element {
  const { change } = useAddress()
  const { query, view, loaded, at } = props
  const isList = view === 'list'
  const { window, filter } = query
  const request = { document: LogRowsDocument, variables: { range: window, filter, first: PAGE_ROWS } }
  return (
    <>
      {at !== null && <Button onClick={() => change({ at: null })}>Show the latest</Button>}
      <LiveButton isOn={false} />
      <ViewButton view="patterns" shown={view}>
        Patterns
      </ViewButton>
      <ViewButton view="measure" shown={view}>
        Measure
      </ViewButton>
      <CompareButton isOn={view === 'compare'} />
      {isList && <WrapButton />}
      <CompareSelect otherwise={view === 'compare' ? WINDOW_BEFORE : ''} />
      {isList && <ColumnsMenu window={window} />}
      <ExportMenu query={query} />
      <AlertLink condition={{ e: null, q: filterText(filter) }} />
      {isList && <PanelMenu title="Logs" source={{ request }} data={loaded.length > 0 ? loaded : undefined} />}
    </>
  )
}
