import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect, type AnyRouter } from '@tanstack/react-router'
import { NotFoundPage } from './app/not-found-page.js'
import { loadCode, type Probe } from './app/load-code.js'
import { FailedPage } from './app/failed-page.js'
import { NamespaceFrame } from './app/namespace-frame.js'
import { StartPage } from './app/start-page.js'
import { RegisterPage } from './session/register-page.js'
import { SignInPage } from './session/sign-in-page.js'
import { parseSearch, stringifySearch } from './url/search-codec.js'

const root = createRootRoute({ notFoundComponent: NotFoundPage })

const start = createRoute({ getParentRoute: () => root, path: '/', component: StartPage })
const login = createRoute({ getParentRoute: () => root, path: '/login', component: SignInPage })
const register = createRoute({ getParentRoute: () => root, path: '/register', component: RegisterPage })
const invite = createRoute({ getParentRoute: () => root, path: '/invite', component: SignInPage })

const namespace = createRoute({ getParentRoute: () => root, path: '/n/$namespace', component: NamespaceFrame })
const namespaceStart = createRoute({
  getParentRoute: () => namespace,
  path: '/',
  beforeLoad: ({ params }) => {
    // eslint-disable-next-line typescript/only-throw-error -- the router's way to redirect
    throw redirect({ to: '/n/$namespace/logs', params, replace: true })
  }
})

const settingsStart = createRoute({
  getParentRoute: () => namespace,
  path: '/settings',
  beforeLoad: ({ params }) => {
    // eslint-disable-next-line typescript/only-throw-error -- the router's way to redirect
    throw redirect({ to: '/n/$namespace/settings/$section', params: { ...params, section: 'general' }, replace: true })
  }
})

/** The pages of a namespace, whose code is loaded with their first visit. */
function createPages(responds: Probe) {
  const page = <Name extends string>(path: string, load: () => Promise<Record<Name, () => React.JSX.Element>>, name: Name) =>
    createRoute({
      getParentRoute: () => namespace,
      path,
      component: lazyRouteComponent(() => loadCode(load, responds), name)
    })
  return [
    page('/alerts', () => import('./alerts/page.js'), 'AlertsPage'),
    page('/alerts/$id', () => import('./alerts/rule-page.js'), 'AlertRulePage'),
    page('/apm', () => import('./apm/page.js'), 'ApmPage'),
    page('/apm/$service', () => import('./apm/service-page.js'), 'ServicePage'),
    page('/errors', () => import('./errors/page.js'), 'ErrorsPage'),
    page('/errors/$id', () => import('./errors/group-page.js'), 'ErrorGroupPage'),
    page('/hosts', () => import('./hosts/page.js'), 'HostsPage'),
    page('/hosts/$host', () => import('./hosts/host-page.js'), 'HostPage'),
    page('/logs', () => import('./logs/page.js'), 'LogsPage'),
    page('/metrics', () => import('./metrics/page.js'), 'MetricsPage'),
    page('/otlp', () => import('./otlp/page.js'), 'OtlpPage'),
    page('/rum', () => import('./rum/page.js'), 'RumPage'),
    page('/services', () => import('./services/page.js'), 'ServicesPage'),
    page('/traces', () => import('./traces/page.js'), 'TracesPage'),
    page('/settings/$section', () => import('./settings/page.js'), 'SettingsPage'),
    page('/traces/$traceId', () => import('./trace/page.js'), 'TracePage')
  ]
}

/**
 * The router of the app.
 *
 * @param basepath path below which the gateway serves the page, with slashes at both ends
 */
export function createAppRouter(basepath: string, responds: Probe): AnyRouter {
  const pages = namespace.addChildren([namespaceStart, settingsStart, ...createPages(responds)])
  return createRouter({
    routeTree: root.addChildren([start, login, register, invite, pages]),
    basepath,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: false,
    defaultPendingMs: 150,
    defaultErrorComponent: FailedPage
  })
}
