/**
 * The credentials in the fragment of a sign-in link, as printed by the demo. The fragment never leaves the browser, and
 * nothing is sent before the user presses the button.
 */
export function readSignInLink(hash: string): { email: string; password: string } {
  const named = new URLSearchParams(hash.replace(/^#/, ''))
  return { email: named.get('email') ?? '', password: named.get('password') ?? '' }
}

type Place = {
  location: Pick<Location, 'hash' | 'pathname' | 'search'>
  history: Pick<History, 'state' | 'replaceState'>
}

/** Removes the password from the address bar and the browser history. */
export function forgetSignInLink({ location: { hash, pathname, search }, history }: Place): void {
  if (hash !== '') history.replaceState(history.state, '', pathname + search)
}
