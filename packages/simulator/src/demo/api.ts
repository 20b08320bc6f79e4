import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, createClient, type Client } from '@plimsoll/client'
import type { RecommendationAction } from '@plimsoll/contract'
import { amountFor, demoBudgets, demoTeams } from './budgets.ts'

/** The fields of a listed recommendation that the demo reads. */
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

/** A decision of the demo. */
export type Move = Exclude<RecommendationAction, 'snooze' | 'withdraw'>

const operationOf = {
  approve: 'approveRecommendation',
  reject: 'rejectRecommendation',
  apply: 'applyRecommendation',
  reopen: 'reopenRecommendation',
} as const satisfies Record<Move, keyof Client>

export type RemovingStep = {
  readonly kind: string
  readonly nodes: readonly { readonly name: string; readonly pool: string }[]
  readonly ids: readonly string[]
}

/** The API calls of the demo, as the admin user. */
export class DemoApi {
  readonly #client: Client
  #token = ''
  #callsLeft = Infinity

  constructor(url: string) {
    this.#client = createClient({
      baseUrl: url,
      credential: () => (this.#token === '' ? undefined : { bearer: this.#token }),
      fetch: (address, init) => this.#send(address, init),
    })
  }

  /** The remaining calls of this minute. */
  get callsLeft(): number {
    return this.#callsLeft
  }

  async signIn(email: string, password: string): Promise<boolean> {
    const answer = await unlessRefused(this.#client.signIn({ body: { email, password } }))
    this.#token = answer?.token ?? ''
    return answer !== undefined
  }

  async hasCluster(id: string): Promise<boolean> {
    return (await unlessRefused(this.#client.getCluster({ params: { cluster_id: id } }))) !== undefined
  }

  async clusterIds(): Promise<string[]> {
    return (await this.#client.listClusters()).clusters.map(({ id }) => id)
  }

  async createCluster(cluster: { name: string; provider: string; region: string }) {
    const { id, agent_token: token } = await this.#client.createCluster({ body: cluster })
    if (token === undefined) throw new Error(`The response for the new cluster ${cluster.name} has no agent token.`)
    return { id, agent_token: token }
  }

  async deleteCluster(id: string): Promise<void> {
    await unlessRefused(this.#client.deleteCluster({ params: { cluster_id: id } }))
  }

  async isWholeWeekKnown(id: string): Promise<boolean> {
    const summary = await this.#client.getClusterSummary({ params: { cluster_id: id }, query: { window: '7d' } })
    return summary.data_status === 'complete'
  }

  /** The address of the receiver changes with each start. */
  async connectChannel(name: string, url: string): Promise<void> {
    const { channels } = await this.#client.listChannels()
    const known = channels.find((channel) => channel.name === name)
    if (known) await this.#client.updateChannel({ params: { channel_id: known.id }, body: { url, enabled: true } })
    else await this.#client.createChannel({ body: { name, kind: 'slack', url } })
  }

  /** Rules that a user set stay. */
  async createTeams(): Promise<void> {
    const { rules } = await this.#client.getTeamMapping()
    if (rules.length === 0) await this.#client.setTeamMapping({ body: { rules: [...demoTeams] } })
  }

  /** Budgets that a user created stay. */
  async createBudgets(): Promise<void> {
    const { budgets } = await this.#client.listBudgets()
    if (budgets.length > 0) return
    for (const { name, team, share } of demoBudgets) {
      const scope = { teams: [team] }
      const { matches } = await this.#client.previewBudget({ body: { scope } })
      if (matches.workloads === 0) continue
      const amount = amountFor(matches.usd_per_day, share)
      await this.#client.createBudget({ body: { name, period: 'month', amount, scope } })
    }
  }

  /** The title of the newest open cost incident. */
  async incidentTitle(): Promise<string | undefined> {
    const query = { rule: 'cost_above_expected', state: 'open', limit: 1 } as const
    return (await this.#client.listAlerts({ query })).alerts[0]?.title
  }

  /** Finalises and analyses the stored data. */
  async sync(id: string): Promise<void> {
    await unlessRefused(this.#client.syncCluster({ params: { cluster_id: id } }))
  }

  async recommendations(clusterId: string): Promise<Found[]> {
    const query = { limit: 500, include_snoozed: true, status: everyStatus, cluster_id: clusterId }
    return (await this.#client.listRecommendations({ query })).recommendations
  }

  /** The steps of the plan that remove nodes without a replacement, with the IDs of their recommendations. */
  async removingSteps(clusterId: string): Promise<RemovingStep[]> {
    const { steps } = await this.#client.getPlan({ params: { cluster_id: clusterId } })
    return steps
      .filter(({ nodes }) => nodes.length > 0 && nodes.every(({ replaced_by: replacement }) => replacement === null))
      .map(({ kind, nodes, recommendations }) => ({ kind, nodes, ids: recommendations.map(({ id }) => id) }))
  }

  async move(id: string, action: Move, reason?: string): Promise<void> {
    const body = reason === undefined ? {} : { reason }
    await this.#client[operationOf[action]]({ params: { id }, body }).catch((error: unknown) => {
      // Already in this state, because an interrupted start continues.
      if (!(error instanceof ApiError && error.status === 409)) throw error
    })
  }

  /** Waits if the minute has no calls left. */
  async #send(address: string, init: RequestInit): Promise<Response> {
    const response = await fetch(address, init)
    this.#callsLeft = Number(response.headers.get('x-ratelimit-remaining') ?? Infinity)
    if (response.status !== 429) return response
    await response.body?.cancel()
    await wait(1000 * Number(response.headers.get('retry-after') ?? 1))
    return this.#send(address, init)
  }
}

/** Undefined if the service rejects the call. A missing response is an error. */
async function unlessRefused<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && error.status > 0) return undefined
    throw error
  }
}
