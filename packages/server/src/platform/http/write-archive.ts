import { gzipSync } from 'node:zlib'

const block = 512

/**
 * A directory as a compressed tar archive (POSIX ustar). Without owners and times, so the same files give the same
 * bytes.
 */
export function writeArchive(files: readonly { path: string; content: string }[]): Buffer {
  const parts = files.flatMap(({ path, content }) => {
    const bytes = Buffer.from(content)
    return [header(path, bytes.length), bytes, Buffer.alloc(padding(bytes.length))]
  })
  const archive = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]))
  // The byte of the operating system differs between systems.
  archive[9] = 255
  return archive
}

const padding = (length: number) => (block - (length % block)) % block

function header(path: string, length: number): Buffer {
  const bytes = Buffer.alloc(block)
  const cut = path.lastIndexOf('/')
  bytes.write(path.slice(cut + 1), 0, 100)
  bytes.write(path.slice(0, Math.max(0, cut)), 345, 155)
  bytes.write('0000644\0', 100)
  bytes.write('0000000\0', 108)
  bytes.write('0000000\0', 116)
  bytes.write(`${length.toString(8).padStart(11, '0')}\0`, 124)
  bytes.write(`${'0'.repeat(11)}\0`, 136)
  bytes.write('0', 156)
  bytes.write('ustar\0', 257)
  bytes.write('00', 263)
  // The checksum field counts as blanks in the checksum.
  bytes.write(' '.repeat(8), 148)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}
