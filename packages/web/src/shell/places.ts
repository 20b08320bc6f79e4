import { mayOpen, type Grant } from './page-access.ts'

/** The pages, in the order of the questions they answer; after a g their key leads there. */
export const places = [
  { to: '/', word: 'Overview', key: 'o' },
  { to: '/recommendations', word: 'Recommendations', key: 'r' },
  { to: '/allocation', word: 'Allocation', key: 'a' },
  { to: '/efficiency', word: 'Efficiency', key: 'e' },
  { to: '/nodes', word: 'Nodes', key: 'n' },
  { to: '/savings', word: 'Savings', key: 's' },
  { to: '/clusters', word: 'Clusters', key: 'c' },
  { to: '/settings', word: 'Settings', key: ',' },
] as const

/** Where somebody begins who may not open the overview. */
export const firstPlace = (grant: Grant) => places.find(({ to }) => mayOpen(grant, to))?.to ?? '/settings'

/** What these tell is told of one cluster at a time. */
const ofOneCluster = ['/efficiency', '/nodes', '/settings/prices', '/settings/policies']

export const isOfOneCluster = (path: string) => ofOneCluster.includes(path)

/** Another page shows the same cluster; everything else in the address belongs to the page. */
export const keepCluster = ({ cluster }: { cluster?: string }) => (cluster === undefined ? {} : { cluster })
