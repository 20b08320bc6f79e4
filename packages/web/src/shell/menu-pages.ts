import { mayOpen, type Grant } from './page-access.ts'

/** The pages in menu order, each with the key that opens it after g. */
export const menuPages = [
  { to: '/', word: 'Overview', key: 'o' },
  { to: '/recommendations', word: 'Recommendations', key: 'r' },
  { to: '/allocation', word: 'Allocation', key: 'a' },
  { to: '/efficiency', word: 'Efficiency', key: 'e' },
  { to: '/nodes', word: 'Nodes', key: 'n' },
  { to: '/savings', word: 'Savings', key: 's' },
  { to: '/changes', word: 'Changes', key: 'd' },
  { to: '/budgets', word: 'Budgets', key: 'b' },
  { to: '/statements', word: 'Statements', key: 't' },
  { to: '/clusters', word: 'Clusters', key: 'c' },
  { to: '/settings', word: 'Settings', key: ',' },
] as const

/** The start page of a viewer without access to the overview. */
export const firstPage = (grant: Grant) => menuPages.find(({ to }) => mayOpen(grant, to))?.to ?? '/settings'

/** Pages that show one cluster at a time. */
const ofOneCluster = ['/efficiency', '/nodes', '/settings/prices', '/settings/policies']

export const isOfOneCluster = (path: string) => ofOneCluster.includes(path)

/** Links keep the selected cluster; other parameters belong to their page. */
export const keepCluster = ({ cluster }: { cluster?: string }) => (cluster === undefined ? {} : { cluster })
