import { fit } from './fit.ts'
import { boundMessage, headline, type Message } from './message.ts'
import type { RenderedRequest } from './channel-kind.ts'

const colors = { info: 'accent', warning: 'warning', critical: 'attention' }

/** An Adaptive Card 1.5, as the Workflows of Teams accept it. */
export function renderTeams(message: Message): RenderedRequest {
  const bound = boundMessage(message)
  const { facts, links, severity, endedAt } = bound
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.5',
    body: [
      {
        type: 'TextBlock',
        text: escaped(headline(bound)),
        size: 'large',
        weight: 'bolder',
        wrap: true,
        color: endedAt === null ? colors[severity] : 'good',
      },
      ...(facts.length === 0
        ? []
        : [
            {
              type: 'FactSet',
              facts: facts.map(({ label, value }) => ({ title: escaped(label), value: escaped(value) })),
            },
          ]),
    ],
    ...(links.length === 0
      ? {}
      : { actions: links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })) }),
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
  return { headers: {}, body: JSON.stringify({ type: 'message', attachments: [attachment] }) }
}

/** Cards read a part of Markdown: without escapes, `[text](url)` of a label would become a link. */
const escaped = (text: string) => fit(text, 1_000, escapeMarkdown)

const escapeMarkdown = (character: string) => (/[\\`*_~[\]()<>#]/.test(character) ? `\\${character}` : character)
