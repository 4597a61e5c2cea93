import type { EdgeLink } from '../edge-link/edge-link.ts'
import type { Upgrades } from '../kernel/http/upgrades.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Module } from '../kernel/module.ts'
import type { VisitChangesModule } from '../modules/visit-changes/index.ts'
import type { VisitsModule } from '../modules/visits/index.ts'
import { PortLine } from './port-line.ts'
import { PortStreams } from './port-streams.ts'

export interface TcpSocketModule extends Module {
  readonly accept: Upgrades['visitPort']
}

/** The WebSockets of programs that open machines' TCP ports. */
export function createTcpSocketModule(
  kernel: Kernel,
  deps: { readonly visits: VisitsModule; readonly visitChanges: VisitChangesModule; readonly link: EdgeLink },
): TcpSocketModule {
  const { logger, now } = kernel
  const { portVisits } = deps.visits.visits
  const { portWrites } = deps.visitChanges
  const lines = { portVisits, portWrites, link: deps.link, streams: new PortStreams(), logger, now }
  return {
    name: 'tcpSocket',
    roles: ['visits'],
    accept: (ws, asked) => void new PortLine(ws, lines).serve(asked),
  }
}
