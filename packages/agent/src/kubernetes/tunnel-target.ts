/** The server that a proxy connects to. */
export type TunnelTarget = { readonly host: string; readonly port: number }
