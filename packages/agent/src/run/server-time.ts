/** Smaller differences come from the resolution of the header or from the round trip. */
const noticeableSeconds = 2

/** An estimate of the server time before the first batch, in seconds since 1970. Without a response, the local time. */
export async function askServerTime(url: string, now: () => number, send: typeof fetch = fetch): Promise<number> {
  try {
    const response = await send(`${url}/healthz`, { signal: AbortSignal.timeout(5000) })
    await response.arrayBuffer()
    const serverSeconds = Date.parse(response.headers.get('date') ?? '') / 1000
    return Math.abs(serverSeconds - now()) > noticeableSeconds ? serverSeconds : now()
  } catch {
    return now()
  }
}
