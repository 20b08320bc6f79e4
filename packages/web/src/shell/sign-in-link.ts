/**
 * What a link to the sign-in page fills in, after its #: the demo prints such a link, so that one click is enough. What stands
 * there never leaves the browser, and nothing is sent before somebody presses the button.
 */
export function readSignInLink(hash: string): { email: string; password: string } {
  const named = new URLSearchParams(hash.replace(/^#/, ''))
  return { email: named.get('email') ?? '', password: named.get('password') ?? '' }
}

type Place = {
  location: Pick<Location, 'hash' | 'pathname' | 'search'>
  history: Pick<History, 'state' | 'replaceState'>
}

/** A password stays neither in the address bar nor in what the browser remembers of it. */
export function forgetSignInLink({ location: { hash, pathname, search }, history }: Place): void {
  if (hash !== '') history.replaceState(history.state, '', pathname + search)
}
