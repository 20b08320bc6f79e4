/** Whether an address leads back to the machine of whoever opens it: from inside a cluster, to the pod itself. */
export function isLoopback(url: string): boolean {
  // What is no address at all is told by whoever listens on it.
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.')
  )
}
