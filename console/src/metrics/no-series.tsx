import type { ReactNode } from 'react'
import { MetricNamesDocument } from '../api/generated/MetricNames.js'
import { useRequest } from '../api/use-request.js'
import { SendFirst } from '../app/send-first.js'
import { Empty } from '../ui/states.js'
import { ALL_TIME } from '../url/time-window.js'
import { useNamespace } from '../url/use-address.js'

/** The reason for an empty chart: no metrics are stored, or else `children`. */
export function NoSeries({ title, children }: { readonly title: string; readonly children: ReactNode }): React.JSX.Element {
  const namespace = useNamespace()
  const variables = { contains: '', range: ALL_TIME, first: 1, after: null }
  const { data } = useRequest(MetricNamesDocument, variables, { namespace })
  if (data?.metrics?.nodes.length === 0) return <SendFirst signal="metrics" />
  return <Empty title={title}>{children}</Empty>
}
