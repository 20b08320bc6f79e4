import { Type, type Static } from 'typebox'
import { Closed, Formed } from './common.ts'

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

export type AgentManifestQuery = Static<typeof AgentManifestQuery>
