import { Type, type Static } from 'typebox'
import { Closed, Formed, Nullable } from './common.ts'

/** Such as registry.example.com/plimsoll-agent:0.1.0, optionally followed by a digest. */
export const agentImagePattern = '^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,254}$'

export const AgentManifestQuery = Closed(
  {
    image: Type.Optional(
      Formed(agentImagePattern, 'an image such as registry.example.com/plimsoll-agent:0.1.0', {
        description: 'Agent image that the cluster pulls; default: PLIMSOLL_AGENT_IMAGE of the server',
        examples: ['registry.example.com/plimsoll-agent:0.1.0'],
      }),
    ),
  },
  { title: 'AgentManifestQuery' },
)

const commandFields = {
  kubectl: Type.String({
    description: 'Creates the namespace and the Secret with the agent token, and installs the agent',
  }),
  helm: Nullable(Type.String(), 'Installs the agent with the Helm chart that this server serves'),
  note: Type.String({ description: 'Notes on the commands and their requirements, for display' }),
}

export const InstallCommands = Type.Object(commandFields, {
  title: 'InstallCommands',
  description: 'Commands that install the agent. Shown only once, because they contain the token',
})

export const InstallTemplate = Type.Object(
  {
    ...commandFields,
    token_placeholder: Type.String({
      description: 'Placeholder for the agent token in the commands',
      examples: ['YOUR-AGENT-TOKEN'],
    }),
  },
  { title: 'InstallTemplate' },
)

export type InstallCommands = Static<typeof InstallCommands>
export type InstallTemplate = Static<typeof InstallTemplate>
export type AgentManifestQuery = Static<typeof AgentManifestQuery>
