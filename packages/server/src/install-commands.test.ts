import { expect, test } from 'vitest'
import { installCommands } from './install-commands.ts'

test('the commands say when no image is named, and when no pod can reach the server', () => {
  const { helm, note } = installCommands({ publicUrl: 'http://127.0.0.1:8080', agentImage: undefined }, 'pla_x')
  expect(helm).not.toContain('image=')
  expect(note).toContain('No pod reaches this server at http://127.0.0.1:8080')
  expect(note).toContain('?image=')
})

// The second is called as the chart calls its own, which is nonetheless another one.
test.each(['r.example/agent:1', 'plimsoll-agent:0.2.0'])(
  'an image that somebody named is in the command: %s',
  (image) => {
    const { helm, note } = installCommands({ publicUrl: 'https://costs.example.com', agentImage: image }, 'pla_x')
    expect(helm).toContain(`image='${image}'`)
    expect(note).toBe(
      `The agent only reads. The cluster must be able to pull ${image}. The cluster must reach https://costs.example.com.`,
    )
  },
)
