import type { AgentProbed } from '@busbar/link'
import { AttributeIds, makeNodeId, VariableIds } from 'node-opcua-client'
import type { DriverDeps } from '../driver-kind.ts'
import { openSocket } from '../open-socket.ts'
import { probe } from '../probe-steps.ts'
import { resolveNode } from './node-address.ts'
import type { OpcUaConnection } from './opcua-connection.ts'
import { openLine } from './opcua-line.ts'
import { failureReason, statusReason } from './reasons.ts'

const portDefault = 4840

/** One value of the connection's first tag, in a session of its own. */
export function probeOpcUa(connection: OpcUaConnection, deps: DriverDeps): Promise<AgentProbed> {
  const { hostname, port } = new URL(connection.url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return probe({
    connect: async () =>
      void (await openSocket({ ...connection, host, port: Number(port) || portDefault })).destroy(),
    async hello() {
      try {
        return await openLine(connection, deps)
      } catch (error) {
        throw new Error(failureReason(error))
      }
    },
    async read({ session, namespaces }) {
      const [tag] = connection.tags
      const node = tag && resolveNode(tag.nodeId, namespaces)
      const { statusCode } = await session.read({
        nodeId: node ?? makeNodeId(VariableIds.Server_ServerStatus_CurrentTime),
        attributeId: AttributeIds.Value,
      })
      if (statusCode.isBad()) throw new Error(statusReason(statusCode))
    },
    close: (line) => void line.close(),
    codeOf(error, step) {
      const { message } = error as Error
      if (/BadIdentityToken|BadUserAccessDenied|user token policy/.test(message)) return 'wrongUser'
      if (step === 'read') return 'readRefused'
      if (/Certificate|BadSecurity|does not offer|may refuse the agent/i.test(message)) return 'certificate'
      if (/no answer in time|BadTimeout/.test(message)) return 'timeout'
      // A refusal by name is one in the protocol.
      return /\(Bad\w+\)/.test(message) ? 'readRefused' : 'notThisProtocol'
    },
  })
}
