import { Link } from '@tanstack/react-router'
import { Empty } from '../ui/states.js'

/** An address that names no page. */
export function NotFoundPage(): React.JSX.Element {
  return (
    <main>
      <Empty title="No page has this address">
        <p>
          <Link to="/">Go to your logs</Link>
        </p>
      </Empty>
    </main>
  )
}
