import { setTimeout as wait } from 'node:timers/promises'

/** As the list of recommendations has it, as far as the demo looks at it. */
export type Found = {
  id: string
  cluster_id: string
  rule_id: string
  title: string
  namespace: string
  workload: { name: string; container: string } | null
  status: string
  verification: string | null
  estimated_savings: number
  bankable_savings: number | null
  current_spec: { cpu_request?: string; memory_request?: string }
  recommended_spec: { cpu_request?: string; memory_request?: string }
}

const everyStatus = 'pending,approved,rejected,implemented,resolved'

/** The calls that the demo makes as the person it shows things to. */
export class DemoApi {
  readonly #url: string
  #token = ''
  #callsLeft = Infinity

  constructor(url: string) {
    this.#url = url
  }

  /** How many calls this minute has left. */
  get callsLeft(): number {
    return this.#callsLeft
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

  async clusterIds(): Promise<string[]> {
    const { body } = await this.#call('GET', '/api/v1/clusters')
    return (body as { clusters: { id: string }[] }).clusters.map(({ id }) => id)
  }

  async createCluster(cluster: { name: string; provider: string; region: string }) {
    const { status, body } = await this.#call('POST', '/api/v1/clusters', cluster)
    if (status !== 201) throw new Error(`The cluster ${cluster.name} was not created: ${JSON.stringify(body)}`)
    return body as { id: string; agent_token: string }
  }

  async deleteCluster(id: string): Promise<void> {
    await this.#call('DELETE', `/api/v1/clusters/${id}`)
  }

  async isWholeWeekKnown(id: string): Promise<boolean> {
    const { body } = await this.#call('GET', `/api/v1/clusters/${id}/summary?window=7d`)
    return (body as { data_status: string }).data_status === 'complete'
  }

  /** Folds and analyses what is stored. */
  async sync(id: string): Promise<void> {
    await this.#call('POST', `/api/v1/clusters/${id}/sync`)
  }

  async recommendations(clusterId: string): Promise<Found[]> {
    const query = `limit=500&include_snoozed=true&status=${everyStatus}&cluster_id=${clusterId}`
    const { body } = await this.#call('GET', `/api/v1/recommendations?${query}`)
    return (body as { recommendations: Found[] }).recommendations
  }

  async move(id: string, action: string, reason?: string): Promise<void> {
    const { status, body } = await this.#call('POST', `/api/v1/recommendations/${id}/${action}`, {
      ...(reason === undefined ? {} : { reason }),
    })
    // It was so already: a start that was interrupted is gone on with.
    if (status !== 200 && status !== 409) throw new Error(`${action} was refused: ${JSON.stringify(body)}`)
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
    this.#callsLeft = Number(response.headers.get('x-ratelimit-remaining') ?? Infinity)
    if (response.status === 429) {
      await wait(1000 * Number(response.headers.get('retry-after') ?? 1))
      return this.#call(method, path, body)
    }
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}
