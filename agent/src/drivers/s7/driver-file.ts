import type { DriverKind } from '../driver-kind.ts'
import { driverInterface } from '../driver-kind.ts'
import { parseS7, parseS7Tag } from './parse-s7.ts'
import { probeS7 } from './probe-s7.ts'
import type { S7Options, S7Tag } from './s7-connection.ts'
import { openS7Driver } from './s7-protocol.ts'
import { s7TagAt } from './s7-tag-at.ts'

/** S7-300, 400, 1200 and 1500, by S7 communication over ISO-on-TCP. */
const s7Kind: DriverKind<S7Options, S7Tag> = {
  driverInterface,
  kind: 's7',
  parseConnection: parseS7,
  parseTag: parseS7Tag,
  open: openS7Driver,
  tagAt: s7TagAt,
  probe: probeS7,
}

export default s7Kind
