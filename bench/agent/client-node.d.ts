/** The part of the library that the comparison uses. `bench/agent.ts` installs it. */
declare module '@kubernetes/client-node' {
  type Named = { name: string }
  type PodApi = { listPodForAllNamespaces(): Promise<unknown> }

  export class KubeConfig {
    loadFromClusterAndUser(cluster: Named & { server: string; skipTLSVerify: boolean }, user: Named): void
    makeApiClient(api: typeof CoreV1Api): PodApi
  }
  export class CoreV1Api {}
  export function makeInformer(
    config: KubeConfig,
    path: string,
    list: () => Promise<unknown>,
  ): {
    on(event: 'error', listener: (error: unknown) => void): void
    start(): Promise<void>
    stop(): Promise<void>
    list(): readonly unknown[]
  }
}
