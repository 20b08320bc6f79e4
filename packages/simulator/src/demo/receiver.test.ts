import { expect, onTestFinished, test } from 'vitest'
import { messagesPage, openReceiver, readMessage } from './receiver.ts'

const at = new Date('2026-11-18T05:00:00Z')

test('a posted message is on the page', async () => {
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  const body = JSON.stringify({ text: 'No data from prod', blocks: [{ fields: [{ text: '*Cluster*\nprod' }] }] })
  expect((await fetch(receiver.url, { method: 'POST', body })).status).toBe(200)
  const page = await (await fetch(receiver.url)).text()
  expect(page).toContain('<b>No data from prod</b>')
  expect(page).toContain('<li>Cluster: prod</li>')
})

test('text of a message is no markup', () => {
  const page = messagesPage([readMessage(JSON.stringify({ text: '&lt;script&gt;"<b>' }), at), readMessage('<i>', at)])
  expect(page).toContain('&lt;script&gt;&quot;&lt;b&gt;')
  expect(page).not.toContain('<script')
  expect(page).not.toContain('<i>')
})
