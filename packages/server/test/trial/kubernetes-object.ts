/** As kubectl applies it. */
export type KubernetesObject = Readonly<Record<string, unknown>>
