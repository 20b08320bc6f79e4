export type ContainerName = { readonly namespace: string; readonly pod: string; readonly container: string }
