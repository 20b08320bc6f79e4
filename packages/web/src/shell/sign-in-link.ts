/**
 * What a link to the sign-in page fills in, after its #: the demo prints such a link, so that one click is enough. What stands
 * there never leaves the browser, and nothing is sent before somebody presses the button.
 */
export function readSignInLink(hash: string): { email: string; password: string } {
  const named = new URLSearchParams(hash.replace(/^#/, ''))
  return { email: named.get('email') ?? '', password: named.get('password') ?? '' }
}
