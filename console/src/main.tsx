import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApi } from './api/request.js'
import { ConnectionMonitor } from './api/connection.js'
import { ApiContext } from './api/context.js'
import { createQueryClient } from './api/query-client.js'
import { createTransport } from './api/transport.js'
import { ConnectionBanner } from './app/connection-banner.js'
import { createTheme, ThemeContext } from './app/theme.js'
import { createAppRouter } from './routes.js'
import { SessionContext } from './session/context.js'
import { followSession } from './session/follow-session.js'
import { Session } from './session/session.js'
import { openTabChannel } from './session/tab-channel.js'
import './ui/base.css'
import { restorePanelWidth } from './ui/use-panel-width.js'

const connection = new ConnectionMonitor(() => Date.now())
const transport = createTransport(document.baseURI, fetch.bind(globalThis), event => connection.observe(event))
const session = new Session({
  transport,
  locks: navigator.locks,
  channel: openTabChannel('alidade-session'),
  nowMs: () => Date.now()
})
const api = createApi(transport, session)
const theme = createTheme(document.documentElement, localStorage, matchMedia('(prefers-color-scheme: dark)'))
restorePanelWidth(document.documentElement, localStorage)
const queryClient = createQueryClient()
// By the transport, so that a failure shows that the connection is lost.
const responds = (): Promise<boolean> =>
  transport.send('health/ready', {}).then(
    () => true,
    () => false
  )
const router = createAppRouter(new URL(document.baseURI).pathname, responds)

followSession(session, queryClient)
void session.start()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ThemeContext value={theme}>
      <SessionContext value={session}>
        <ApiContext value={api}>
          <QueryClientProvider client={queryClient}>
            <ConnectionBanner monitor={connection} />
            <RouterProvider router={router} />
          </QueryClientProvider>
        </ApiContext>
      </SessionContext>
    </ThemeContext>
  </StrictMode>
)
