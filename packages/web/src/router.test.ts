import { dashboardPages } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import router from './router.tsx?raw'

test('the server serves the document for each page of the router, and for no other path', () => {
  const paths = [...router.matchAll(/\bpath: '(?<path>[^']+)'/gu)].map(({ groups }) => groups?.path ?? '')
  const shapes = (of: readonly string[]) => of.map((path) => path.replaceAll(/[$:]\w+/gu, '{}')).sort()
  // `$` is the page for unknown paths.
  expect(shapes(paths.filter((path) => path !== '$'))).toEqual(shapes(dashboardPages))
})
