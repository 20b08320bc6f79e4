/** The calls that the demo makes as the person it shows things to. */
export class DemoApi {
  readonly #url: string
  #token = ''

  constructor(url: string) {
    this.#url = url
  }

  async signIn(email: string, password: string): Promise<boolean> {
    const { status, body } = await this.#call('POST', '/auth/login', { email, password })
    if (status !== 200) return false
    this.#token = (body as { token: string }).token
    return true
  }

  async hasCluster(id: string): Promise<boolean> {
    return (await this.#call('GET', `/api/v1/clusters/${id}`)).status === 200
  }

  async createCluster(cluster: { name: string; provider: string; region: string }) {
    const { status, body } = await this.#call('POST', '/api/v1/clusters', cluster)
    if (status !== 201) throw new Error(`The cluster ${cluster.name} was not created: ${JSON.stringify(body)}`)
    return body as { id: string; agent_token: string }
  }

  async deleteCluster(id: string): Promise<void> {
    await this.#call('DELETE', `/api/v1/clusters/${id}`)
  }

  async dataStatus(id: string): Promise<string> {
    const { body } = await this.#call('GET', `/api/v1/clusters/${id}/summary?window=30d`)
    return (body as { data_status: string }).data_status
  }

  async #call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}
