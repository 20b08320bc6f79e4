/** Whether an address is a loopback address: inside a cluster it would be the pod itself. */
export function isLoopback(url: string): boolean {
  // The listener reports an invalid address.
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.')
  )
}
