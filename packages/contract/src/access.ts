import { dashboardPages } from './dashboard-pages.ts'
import { operations, type Operations } from './operations/index.ts'
import type { Access } from './operations/operation.ts'

const pageAccess = Object.fromEntries(dashboardPages.map((path) => [`GET ${path}`, 'free'])) as Record<
  `GET ${(typeof dashboardPages)[number]}`,
  'free'
>

/** Routes outside the API: probes, pages and files. */
export const pageRouteAccess = {
  'GET /healthz': 'probe',
  'GET /readyz': 'probe',
  'GET /metrics': 'probe',
  'GET /openapi.json': 'free',
  'GET /docs': 'free',
  'GET /docs/': 'free',
  ...pageAccess,
  'GET /assets/:file': 'free',
  'GET /favicon.ico': 'free',
  'GET /install/agent.yaml': 'free',
  'GET /install/plimsoll-agent.tgz': 'free',
} as const satisfies Record<string, Access>

export type PageRoute = keyof typeof pageRouteAccess

export type Route = PageRoute | Operations[keyof Operations]['route']

/** Every route of the service. The server registers no other routes. */
export const routeAccess = {
  ...pageRouteAccess,
  ...Object.fromEntries(Object.values(operations).map(({ route, access }) => [route, access])),
} as Record<Route, Access>

/** Whether a route needs no credential. */
export const isOpenToAnyone = (access: Access | undefined): access is 'probe' | 'free' | 'anonymous' =>
  access === 'probe' || access === 'free' || access === 'anonymous'
