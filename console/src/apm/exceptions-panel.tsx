import { Link } from '@tanstack/react-router'
import { ApmExceptionsDocument } from '../api/generated/ApmExceptions.js'
import { useRequest } from '../api/use-request.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatCount } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { FactsTable } from '../tables/facts-table.js'
import { ExceptionStateMark } from '../ui/exception-state.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'

/** Longer messages are cut; the group has them whole. */
const SHOWN_CHARACTERS = 160

/** Groups of exceptions, most recently seen first; of one service, or of all. */
export function ExceptionsPanel({ service }: { readonly service?: string }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { window } = usePageWindow()
  const { zoneName } = useInstantFormat()
  const services = service === undefined ? null : [service]
  const variables = { range: window, services }
  const result = useRequest(ApmExceptionsDocument, variables, { namespace })
  const all = (
    <Link to="/n/$namespace/errors" params={{ namespace }} search={pageSearch(search, { service: service ?? null })}>
      All exceptions
    </Link>
  )
  return (
    <Panel
      title={service === undefined ? 'Recent exceptions' : 'Exceptions'}
      result={result}
      actions={all}
      source={{ request: { document: ApmExceptionsDocument, variables } }}
      minHeight={64}
      completenessOf={({ exceptionGroups }) => exceptionGroups?.stats}
    >
      {({ exceptionGroups: groups }) =>
        groups && groups.nodes.length > 0 ? (
          <FactsTable
            label="Groups of exceptions"
            rows={groups.nodes}
            rowKey={({ id }) => id}
            columns={[
              {
                header: 'Exception',
                render: ({ id, type, message, service: source }) => (
                  <>
                    <Link to="/n/$namespace/errors/$id" params={{ namespace, id }} search={pageSearch(search)}>
                      {visibleText(type)}
                    </Link>{' '}
                    {visibleText(message.slice(0, SHOWN_CHARACTERS))}
                    {service === undefined && ` · ${visibleText(source)}`}
                  </>
                )
              },
              { header: 'State', render: ({ state }) => <ExceptionStateMark state={state} /> },
              { header: 'Count', isNumeric: true, render: ({ count }) => formatCount(count) },
              { header: `Last seen (${zoneName})`, isNumeric: true, render: ({ lastSeen }) => <Instant value={lastSeen} /> }
            ]}
          />
        ) : (
          <p className={layout.note}>No exceptions in this window.</p>
        )
      }
    </Panel>
  )
}
