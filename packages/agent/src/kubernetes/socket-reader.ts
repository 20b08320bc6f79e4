import type { Socket } from 'node:net'

/** Reads the handshake and leaves the following bytes in the socket. */
export class SocketReader {
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  async bytes(count: number): Promise<Buffer> {
    for (;;) {
      const chunk = this.#socket.read(count) as Buffer | null
      if (chunk?.length === count) return chunk
      if (chunk) throw new Error('the proxy closed the connection')
      await this.#more()
    }
  }

  /** Reads byte by byte, because the bytes after the delimiter belong to the next protocol. */
  async through(delimiter: string, bytesMax: number): Promise<string> {
    let text = ''
    while (!text.endsWith(delimiter)) {
      if (text.length >= bytesMax) throw new Error('the response of the proxy is too long')
      text += (await this.bytes(1)).toString('latin1')
    }
    return text
  }

  #more(): Promise<void> {
    const socket = this.#socket
    return new Promise((resolve, reject) => {
      const settle = (error?: Error) => {
        socket.off('readable', onReadable)
        socket.off('end', onEnd)
        socket.off('close', onEnd)
        socket.off('error', settle)
        if (error) reject(error)
        else resolve()
      }
      const onReadable = () => settle()
      const onEnd = () => settle(new Error('the proxy closed the connection'))
      socket.on('readable', onReadable)
      socket.on('end', onEnd)
      socket.on('close', onEnd)
      socket.on('error', settle)
    })
  }
}
