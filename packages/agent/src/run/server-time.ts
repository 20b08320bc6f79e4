/** Less is the coarseness of the header, or the way there and back. */
const noticeableSeconds = 2

/** The server's time as far as it can be had before anything is sent; ours where nobody answers. In seconds since 1970. */
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
