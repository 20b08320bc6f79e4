/** The pages, in the order of the questions they answer; after a g their key leads there. */
export const places = [
  { to: '/', word: 'Overview', key: 'o', needs: 'clusters:read' },
  { to: '/recommendations', word: 'Recommendations', key: 'r', needs: 'recommendations:read' },
  { to: '/allocation', word: 'Allocation', key: 'a', needs: 'reports:read' },
  { to: '/efficiency', word: 'Efficiency', key: 'e', needs: 'clusters:read' },
  { to: '/nodes', word: 'Nodes', key: 'n', needs: 'clusters:read' },
  { to: '/savings', word: 'Savings', key: 's', needs: 'recommendations:read' },
  { to: '/clusters', word: 'Clusters', key: 'c', needs: 'clusters:read' },
  { to: '/settings', word: 'Settings', key: ',', needs: null },
] as const

/** What these tell is told of one cluster at a time. */
const ofOneCluster = ['/efficiency', '/nodes', '/settings/prices', '/settings/policies']

export const isOfOneCluster = (path: string) => ofOneCluster.includes(path)

/** Another page shows the same cluster; everything else in the address belongs to the page. */
export const keepCluster = ({ cluster }: { cluster?: string }) => (cluster === undefined ? {} : { cluster })
