import { telemetry as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import type { Gateway } from '../gateway.ts'

/** What machines sent lately, for the people who set them up. */
export function rawRoutes(gateway: Pick<Gateway, 'listRawMessages'>): Binding[] {
  return [bind(contract.listRawMessages, ({ machineId, limit }) => gateway.listRawMessages(machineId, limit))]
}
