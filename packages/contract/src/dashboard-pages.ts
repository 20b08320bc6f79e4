/** The pages of the dashboard. The server serves the same document for each of them. */
export const dashboardPages = [
  '/',
  '/welcome',
  '/sign-in',
  '/recommendations',
  '/recommendations/:id',
  '/allocation',
  '/efficiency',
  '/nodes',
  '/savings',
  '/budgets',
  '/clusters',
  '/clusters/new',
  '/clusters/:cluster_id',
  '/settings',
  '/settings/:section',
] as const
