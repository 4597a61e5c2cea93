import { agentConfig as contract } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { bind } from '../../kernel/http/bind.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { VisitsModule } from '../visits/index.ts'
import { AgentConfigService } from './agent-config-service.ts'

interface Deps {
  readonly access: AccessPort
  readonly visits: VisitsModule
  readonly link: EdgeLink
}

/** Connections, tags and dead bands of agents that allow it, set up by people who may control the machine. */
export function createAgentConfigModule(kernel: Kernel, { access, visits, link }: Deps): Module {
  const { db, now } = kernel
  const service = new AgentConfigService({ db, access, control: visits.visits.control, link, now })
  return {
    name: 'agentConfig',
    roles: ['api'],
    routes: [
      bind(contract.getAgentConfig, ({ machineId }) => service.get(machineId)),
      bind(contract.getAgentDocument, ({ machineId, revision }) => service.getDocument(machineId, revision)),
      bind(contract.checkAgentConfig, ({ machineId, connections }, context) =>
        service.check(context, machineId, connections),
      ),
      bind(contract.applyAgentConfig, ({ machineId, base, connections }, context) =>
        service.apply(context, machineId, { base, connections, restoredFrom: null }),
      ),
      bind(contract.restoreAgentConfig, ({ machineId, base, revision }, context) =>
        service.restore(context, machineId, { base, revision }),
      ),
      bind(contract.browseAgentNodes, ({ machineId, ...question }, context) =>
        service.browse(context, machineId, question),
      ),
      bind(contract.readAgentRegisters, ({ machineId, ...question }, context) =>
        service.readRegisters(context, machineId, question),
      ),
      bind(contract.startScan, ({ machineId, network, kinds }, context) =>
        service.startScan(context, machineId, { network, kinds, countScan: () => context.takeLimit() }),
      ),
      bind(contract.getScan, ({ machineId }) => service.getScan(machineId)),
    ],
  }
}
