/** Splits a stream into lines. The last line may have no newline; the caller must handle an incomplete one. */
export async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    yield* parts.filter((line) => line !== '')
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

export async function text(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let whole = ''
  for await (const chunk of chunks) whole += decoder.decode(chunk, { stream: true })
  return whole + decoder.decode()
}
