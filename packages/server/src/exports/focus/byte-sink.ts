/** Where the bytes of a file go. The promise resolves when more may be written. */
export type ByteSink = { write: (bytes: Uint8Array) => Promise<void> }
