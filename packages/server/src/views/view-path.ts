import { dashboardPages } from '@plimsoll/contract'
import { Problem } from '../platform/http/problem.ts'

/** A view of these pages would sign out its reader or lead to another address. */
const withoutViews: readonly string[] = ['/sign-in', '/welcome']

const pages = dashboardPages
  .filter((page) => !withoutViews.includes(page))
  .map((page) => page.split('/').map((part) => (part.startsWith(':') ? null : part)))

/** The schema refuses other hosts; here only pages of the dashboard remain. */
export function demandPage(path: string): void {
  const [page = ''] = path.split('?')
  const parts = page.split('/')
  const isPage = pages.some(
    (known) =>
      known.length === parts.length &&
      known.every((part, at) => (part === null ? (parts[at] ?? '') !== '' : part === parts[at])),
  )
  if (isPage) return
  const detail = 'is not a page of the dashboard'
  throw new Problem('invalid_body', `/path: ${detail}.`, { errors: [{ pointer: '/path', code: 'page', detail }] })
}
