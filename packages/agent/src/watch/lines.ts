/** Lines of a stream, however it is cut. The last one may lack its end; an unfinished one is the caller's to judge. */
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
