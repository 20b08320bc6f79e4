import { linkTo } from '@plimsoll/client'

/** Signs in with the identity provider, and then opens the page. */
export function ProviderLink({ returnTo }: { returnTo: string }) {
  return (
    <a className="button button-primary mb-4 h-9 w-full" href={linkTo('startOidc', { return_to: encoded(returnTo) })}>
      Sign in with your organization
    </a>
  )
}

/** As in the address bar: without blanks and other characters that an address cannot have. */
function encoded(path: string): string {
  const { pathname, search, hash } = new URL(path, location.origin)
  return pathname + search + hash
}
