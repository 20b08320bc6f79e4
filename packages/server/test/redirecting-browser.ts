import { send, type TestApp } from './test-app.ts'

export const publicUrl = 'http://plimsoll.test'

type Sent = { method?: 'GET' | 'POST'; headers?: Record<string, string>; form?: Record<string, string> }

type Received = { status: number; location: string | undefined; cookies: string[]; body: string }

/** What a browser does: keeps cookies by host and follows redirects. The service is called without a port. */
export class RedirectingBrowser {
  readonly #app: Pick<TestApp, 'app'>
  readonly #jars = new Map<string, Map<string, string>>()

  constructor(app: Pick<TestApp, 'app'>) {
    this.#app = app
  }

  /** The page after all redirects. `until` stops before a redirect to such an address. */
  async open(address: string, sent: Sent = {}, until?: (url: URL) => boolean) {
    let url = new URL(address, publicUrl)
    let next = sent
    for (let hops = 0; hops < 20; hops += 1) {
      const { status, location, cookies, body } = await this.#request(url, next)
      this.#keep(url.host, cookies)
      if (location === undefined) return { url, status, body }
      url = new URL(location, url)
      if (until?.(url)) return { url, status, body }
      next = { headers: sent.headers ?? {} }
    }
    throw new Error('too many redirects')
  }

  cookie(name: string): string | undefined {
    return this.#jars.get(new URL(publicUrl).host)?.get(name)
  }

  /** The cookies that the browser sends to a host. */
  cookieHeader(host = new URL(publicUrl).host): Record<string, string> {
    const jar = [...(this.#jars.get(host) ?? [])].map(([name, value]) => `${name}=${value}`)
    return jar.length === 0 ? {} : { cookie: jar.join('; ') }
  }

  async #request(url: URL, { method = 'GET', headers = {}, form }: Sent): Promise<Received> {
    const all = { ...this.cookieHeader(url.host), ...headers }
    if (url.origin === publicUrl) {
      const { statusCode, headers: got, body } = await send(this.#app, { url: url.pathname + url.search, headers: all })
      return { status: statusCode, location: got.location, cookies: [got['set-cookie'] ?? []].flat(), body }
    }
    const body = form === undefined ? {} : { body: new URLSearchParams(form) }
    const response = await fetch(url, { method, redirect: 'manual', headers: all, ...body })
    return {
      status: response.status,
      location: response.headers.get('location') ?? undefined,
      cookies: response.headers.getSetCookie(),
      body: await response.text(),
    }
  }

  #keep(host: string, cookies: string[]): void {
    const jar = this.#jars.get(host) ?? new Map<string, string>()
    this.#jars.set(host, jar)
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name)
      else jar.set(name, value)
    }
  }
}
