import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { SavedViewNamesDocument } from '../api/generated/SavedViews.js'
import { TraceFieldValuesDocument } from '../api/generated/TraceFieldValues.js'
import { useRequest } from '../api/use-request.js'
import { visibleText } from '../format/visible-text.js'
import { Dialog } from '../ui/dialog.js'
import { pageSearch } from '../url/page-search.js'
import { signalOfPath, VIEW_KEY } from '../url/saved-state.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import styles from './command-palette.module.css'
import { type Command, matching, traceIdOf } from './commands.js'
import { PAGES } from './pages.js'
import { type ThemeChoice, useTheme } from './theme.js'
import { useViewer } from './use-viewer.js'

function useCommands(text: string): readonly Command[] {
  const navigate = useNavigate()
  const namespace = useNamespace()
  const { search } = useAddress()
  const theme = useTheme()
  const { data } = useViewer(namespace)
  const traceId = traceIdOf(text)
  const pages = PAGES.map(([title, to]): Command => ({
    id: to,
    title,
    kind: 'Page',
    run: () => void navigate({ to, params: { namespace }, search: pageSearch(search) })
  }))
  const namespaces = (data?.viewer.memberships ?? []).map(({ namespace: { id, name } }): Command => ({
    id,
    title: name,
    kind: 'Namespace',
    run: () => void navigate({ to: '/n/$namespace/logs', params: { namespace: name } })
  }))
  const themes = (['light', 'dark', 'system'] as const).map((choice: ThemeChoice): Command => ({
    id: choice,
    title: `Use the ${choice} theme`,
    kind: 'Theme',
    run: () => theme.choose(choice)
  }))
  const trace = (id: string): Command => ({
    id,
    title: id,
    kind: 'Trace',
    run: () => void navigate({ to: '/n/$namespace/traces/$traceId', params: { namespace, traceId: id } })
  })
  const services = useServicesWith(text).map((name): Command => ({
    id: `service ${name}`,
    title: visibleText(name),
    kind: 'Service',
    run: () =>
      void navigate({ to: '/n/$namespace/apm/$service', params: { namespace, service: name }, search: pageSearch(search) })
  }))
  const views = useViews()
  const searchLogs: Command = {
    id: 'search',
    title: `Search logs for ${visibleText(text)}`,
    kind: 'Logs',
    run: () => void navigate({ to: '/n/$namespace/logs', params: { namespace }, search: { ...pageSearch(search), q: text } })
  }
  if (traceId !== null) return [trace(traceId)]
  return [
    ...matching([...pages, ...views, ...services, ...namespaces, ...themes], text),
    ...(text.trim() === '' ? [] : [searchLogs])
  ]
}

/** Views that members of the namespace saved, on the pages that they are of. */
function useViews(): readonly Command[] {
  const navigate = useNavigate()
  const namespace = useNamespace()
  const { data } = useRequest(SavedViewNamesDocument, {}, { namespace })
  return (data?.savedViews ?? []).flatMap(({ id, name, signal }) => {
    const page = PAGES.find(([, to]) => signalOfPath(to) === signal)
    if (!page) return []
    const run = (): void => void navigate({ to: page[1], params: { namespace }, search: { [VIEW_KEY]: id } })
    return [{ id: `view ${id}`, title: visibleText(name ?? ''), kind: `View of ${page[0]}`, run }]
  })
}

/** Names of services with spans in the window of the page. */
function useServicesWith(text: string): readonly string[] {
  const namespace = useNamespace()
  const { window } = usePageWindow()
  const contains = text.trim()
  const variables = { range: window, field: 'service', contains }
  const { data } = useRequest(TraceFieldValuesDocument, variables, { namespace, enabled: contains !== '' })
  return contains === '' ? [] : (data?.traceFieldValues ?? []).map(({ value }) => value)
}

/** Goes to a page, a saved view, a service, a namespace or a pasted trace id, or searches the logs. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }): React.JSX.Element {
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const commands = useCommands(text)
  const at = Math.min(chosen, commands.length - 1)
  const run = (command: Command): void => {
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setChosen((at + step + commands.length) % Math.max(1, commands.length))
    else if (event.key === 'Enter' && commands[at]) run(commands[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog label="Command palette" onClose={onClose}>
      <input
        className={styles.input}
        role="combobox"
        aria-label="Go to"
        aria-expanded
        aria-controls={`${id}-commands`}
        aria-activedescendant={commands[at] ? `${id}-${at}` : undefined}
        placeholder="Page, view, service, namespace, trace id, or text to search logs for"
        value={text}
        onChange={event => {
          setText(event.currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-commands`} role="listbox" aria-label="Commands" className={styles.commands}>
        {commands.map((command, index) => (
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the input has the key events of its options
          <div
            key={command.id}
            tabIndex={-1}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(command)}
          >
            <span>{command.title}</span>
            <span className={styles.kind}>{command.kind}</span>
          </div>
        ))}
      </div>
    </Dialog>
  )
}
