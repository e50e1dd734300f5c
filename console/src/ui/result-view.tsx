import type { ReactNode } from 'react'
import { Failed, Loading } from './states.js'

/** What a result view needs of a query of react-query. */
export interface ReadResult<Result> {
  readonly data: Result | undefined
  readonly error: Error | null
  readonly refetch: () => Promise<unknown>
}

/** The content of a result, or that it loads or failed. A refresh that fails keeps the last content below its error. */
export function ResultView<Result>(props: {
  readonly result: ReadResult<Result>
  /** What is read, after "Loading". */
  readonly what: string
  readonly children: (result: Result) => ReactNode
}): React.JSX.Element {
  const { result, what, children } = props
  const { data, error } = result
  return (
    <>
      {error && <Failed error={error} onRetry={() => void result.refetch()} />}
      {data !== undefined ? children(data) : error ? null : <Loading what={what} />}
    </>
  )
}
