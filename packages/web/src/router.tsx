import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { sessionQuery } from './api/session.ts'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { BrokenPage } from './pages/broken-page.tsx'
import { OpeningPage } from './pages/opening-page.tsx'
import { firstPage } from './shell/menu-pages.ts'
import { Shell } from './shell/shell.tsx'
import {
  readChart,
  readExplorer,
  readFilters,
  onlyKnown,
  readBillDays,
  readHistoryState,
  readSearch,
  readSignIn,
  readStatements,
  readView,
  readWindow,
  readWithin,
} from './url-parameters.ts'
import { SignInPage } from './pages/sign-in-page.tsx'
import { WelcomePage } from './pages/welcome-page.tsx'

const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
})

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: readSignIn,
  component: SignInPage,
})

const welcomeRoute = createRoute({ getParentRoute: () => rootRoute, path: '/welcome', component: WelcomePage })

/** All pages that need a session. The selected cluster is part of every URL. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  validateSearch: readSearch,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how this router redirects
    if (!session) throw redirect({ to: '/sign-in', search: { next: location.href } })
  },
  component: Shell,
  pendingComponent: OpeningPage,
  errorComponent: BrokenPage,
})

const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: async ({ context, search }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    const to = session ? firstPage(session) : '/'
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how this router redirects
    if (to !== '/') throw redirect({ to, search })
  },
  component: lazyRouteComponent(() => import('./pages/overview-page.tsx'), 'OverviewPage'),
})

const recommendationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/recommendations',
  validateSearch: (search: Record<string, unknown>) =>
    onlyKnown(search, { ...readFilters(search), ...readView(search) }),
  component: lazyRouteComponent(() => import('./pages/recommendations-page.tsx'), 'RecommendationsPage'),
})

const recommendationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/recommendations/$id',
  // With the filters of the list, for stepping through it and for going back.
  validateSearch: (search: Record<string, unknown>) => ({
    ...readFilters(search),
    ...readWithin(search),
    ...readChart(search),
  }),
  component: lazyRouteComponent(() => import('./pages/recommendation-page.tsx'), 'RecommendationPage'),
})

const allocationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/allocation',
  validateSearch: (search: Record<string, unknown>) => onlyKnown(search, readExplorer(search)),
  component: lazyRouteComponent(() => import('./pages/allocation-page.tsx'), 'AllocationPage'),
})

const changesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/changes',
  validateSearch: (search: Record<string, unknown>) => onlyKnown(search, readExplorer(search)),
  component: lazyRouteComponent(() => import('./pages/changes-page.tsx'), 'ChangesPage'),
})

const ownerPages = () => import('./pages/owner-page.tsx')

const workloadRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/workloads/$name',
  validateSearch: (search: Record<string, unknown>) => onlyKnown(search, readExplorer(search)),
  component: lazyRouteComponent(ownerPages, 'WorkloadPage'),
})

const namespaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/namespaces/$name',
  validateSearch: (search: Record<string, unknown>) => onlyKnown(search, readExplorer(search)),
  component: lazyRouteComponent(ownerPages, 'NamespacePage'),
})

const teamRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/teams/$name',
  validateSearch: (search: Record<string, unknown>) => onlyKnown(search, readExplorer(search)),
  component: lazyRouteComponent(ownerPages, 'TeamPage'),
})

const nodeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/nodes/$name',
  validateSearch: (search: Record<string, unknown>) => onlyKnown(search, readExplorer(search)),
  component: lazyRouteComponent(ownerPages, 'NodePage'),
})

const efficiencyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/efficiency',
  validateSearch: readWindow,
  component: lazyRouteComponent(() => import('./pages/efficiency-page.tsx'), 'EfficiencyPage'),
})

const nodesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/nodes',
  validateSearch: (search: Record<string, unknown>) => ({
    ...readWindow(search),
    ...(typeof search.node === 'string' ? { node: search.node } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/nodes-page.tsx'), 'NodesPage'),
})

const savingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/savings',
  validateSearch: (search: Record<string, unknown>) => ({ ...readHistoryState(search), ...readBillDays(search) }),
  component: lazyRouteComponent(() => import('./pages/savings-page.tsx'), 'SavingsPage'),
})

const budgetsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/budgets',
  component: lazyRouteComponent(() => import('./pages/budgets-page.tsx'), 'BudgetsPage'),
})

const statementsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/statements',
  validateSearch: readStatements,
  component: lazyRouteComponent(() => import('./pages/statements-page.tsx'), 'StatementsPage'),
})

const clustersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/clusters',
  component: lazyRouteComponent(() => import('./pages/clusters-page.tsx'), 'ClustersPage'),
})

const newClusterRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/clusters/new',
  component: lazyRouteComponent(() => import('./pages/new-cluster-page.tsx'), 'NewClusterPage'),
})

const clusterRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/clusters/$clusterId',
  component: lazyRouteComponent(() => import('./pages/cluster-page.tsx'), 'ClusterPage'),
})

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  beforeLoad: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how this router redirects
    throw redirect({ to: '/settings/$section', params: { section: 'profile' } })
  },
})

const settingsSectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/$section',
  component: lazyRouteComponent(() => import('./pages/settings-page.tsx'), 'SettingsPage'),
})

/** Unknown paths: shown inside the dashboard, with its navigation. */
const lostRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFoundPage })

/** A new page also needs its path in `contract/src/dashboard-pages.ts`; CONTRIBUTING.md lists the rest. */
const routeTree = rootRoute.addChildren([
  signInRoute,
  welcomeRoute,
  shellRoute.addChildren([
    overviewRoute,
    recommendationsRoute,
    recommendationRoute,
    allocationRoute,
    changesRoute,
    workloadRoute,
    namespaceRoute,
    teamRoute,
    nodeRoute,
    efficiencyRoute,
    nodesRoute,
    savingsRoute,
    budgetsRoute,
    statementsRoute,
    clustersRoute,
    newClusterRoute,
    clusterRoute,
    settingsRoute,
    settingsSectionRoute,
    lostRoute,
  ]),
])

export const makeRouter = (queries: QueryClient) =>
  createRouter({ routeTree, context: { queries }, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- declaration merging needs an interface
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
