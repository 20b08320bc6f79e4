import { Type, type Static } from 'typebox'
import { Closed, Formed, Nullable } from './common.ts'

/** Such as registry.example.com/plimsoll-agent:0.1.0, or with a digest behind it. */
export const agentImagePattern = '^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,254}$'

export const AgentManifestQuery = Closed(
  {
    image: Type.Optional(
      Formed(agentImagePattern, 'an image such as registry.example.com/plimsoll-agent:0.1.0', {
        description:
          'The image of the agent, as the cluster pulls it; default: the one that this server is set to name',
        examples: ['registry.example.com/plimsoll-agent:0.1.0'],
      }),
    ),
  },
  { title: 'AgentManifestQuery' },
)

const commandFields = {
  kubectl: Type.String({
    description: 'Makes the namespace and the secret that the agent reads its token from, and installs the agent',
  }),
  helm: Nullable(Type.String(), 'Installs the agent with its chart, which this server serves'),
  note: Type.String({ description: 'For people: what the commands do, and what they need' }),
}

export const InstallCommands = Type.Object(commandFields, {
  title: 'InstallCommands',
  description: 'Commands that install the agent; shown this once, as they hold the token',
})

export const InstallTemplate = Type.Object(
  {
    ...commandFields,
    token_placeholder: Type.String({
      description: 'What stands in the commands where a token of the cluster belongs',
      examples: ['YOUR-AGENT-TOKEN'],
    }),
  },
  { title: 'InstallTemplate' },
)

export type InstallCommands = Static<typeof InstallCommands>
export type InstallTemplate = Static<typeof InstallTemplate>
export type AgentManifestQuery = Static<typeof AgentManifestQuery>
