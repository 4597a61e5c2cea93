import type { DriverKind } from '../driver-kind.ts'
import { driverInterface } from '../driver-kind.ts'
import type { OpcUaOptions, OpcUaTag } from './opcua-connection.ts'
import { createOpcUaDriver } from './opcua-driver.ts'
import { createOpcUaExplorer } from './opcua-explorer.ts'
import { parseOpcUa, parseOpcUaTag } from './parse-opcua.ts'
import { probeOpcUa } from './probe-opcua.ts'

/** OPC UA servers, by subscriptions over opc.tcp. */
const opcUaKind: DriverKind<OpcUaOptions, OpcUaTag> = {
  driverInterface,
  kind: 'opcua',
  parseConnection: parseOpcUa,
  parseTag: parseOpcUaTag,
  open: createOpcUaDriver,
  explore: createOpcUaExplorer,
  probe: probeOpcUa,
}

export default opcUaKind
