import { expect, test } from 'vitest'
import { sharedMemorySettings } from './server-settings.ts'

test('if /dev/shm is smaller than 64 MB shared memory is in files', () => {
  expect(sharedMemorySettings(63 * 1024 ** 2)).toEqual({ dynamic_shared_memory_type: 'mmap' })
  expect(sharedMemorySettings(64 * 1024 ** 2)).toEqual({})
})
