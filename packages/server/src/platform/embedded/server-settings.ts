import { statfs } from 'node:fs/promises'

/**
 * For a small service beside other programs on one machine. Durability settings (fsync, …) keep their PostgreSQL
 * defaults.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '128MB',
  // If huge pages are configured but not granted to a container, using them crashes.
  huge_pages: 'off',
  wal_compression: 'on',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A query of a killed client ends soon, instead of delaying the next start.
  client_connection_check_interval: '5s',
}

export async function serverSettings(): Promise<Record<string, string>> {
  return { ...settings, ...sharedMemorySettings(await sharedMemoryBytes()) }
}

const sharedMemoryBytesMin = 64 * 1024 * 1024

export function sharedMemorySettings(bytes: number): Record<string, string> {
  return bytes < sharedMemoryBytesMin ? { dynamic_shared_memory_type: 'mmap' } : {}
}

/** Only Linux has it in a file system of limited size. */
async function sharedMemoryBytes() {
  if (process.platform !== 'linux') return Infinity
  const { bsize, blocks } = await statfs('/dev/shm').catch(() => ({ bsize: 0, blocks: 0 }))
  return bsize * blocks
}
