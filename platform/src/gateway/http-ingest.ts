import { plainTopic } from '@busbar/link'
import {
  RecordsRefused,
  type RefusedTags,
  type Telemetry,
  TelemetryBusy,
} from '../modules/telemetry/index.ts'
import { readTelemetry } from './adapters/read-message.ts'
import type { HttpPresence } from './http-presence.ts'
import { parseBasic } from './login.ts'
import type { LoginDoor } from './login-door.ts'
import type { MachineClocks } from './machine-clocks.ts'
import type { IngestCounters } from './machine-session.ts'
import type { RawLog } from './raw-log.ts'
import { countValues, type ValuePaces } from './value-pace.ts'

const busyRetryS = 1

export type IngestResult = { stored: number; refused: string[] } | { retryIn: number } | undefined

/**
 * `POST /api/v1/ingest`: the JSON of `v1/devices/me/telemetry` with a machine's code and secret as Basic
 * authentication. Answers after the commit; undefined when the credentials are no machine's, `retryIn` seconds when it
 * must slow down.
 */
export async function ingestHttp(
  deps: {
    readonly telemetry: Telemetry
    readonly logins: LoginDoor
    readonly presence: HttpPresence
    readonly rawLog: RawLog
    readonly clocks: MachineClocks
    readonly counters: IngestCounters
    readonly paces: ValuePaces
    now(): number
  },
  authorization: string | undefined,
  body: Buffer,
  address: string,
): Promise<IngestResult> {
  const basic = parseBasic(authorization)
  if (!basic) return undefined
  const login = await deps.logins.check({ ...basic, address })
  if ('retryIn' in login) return login
  if (!('machineId' in login)) return undefined
  // Judged where the values are counted, without a wait between: parallel posts would all find room.
  const pace = deps.paces.of(login.machineId)
  const waitMs = pace.waitMs()
  if (waitMs > 0) return { retryIn: Math.ceil(waitMs / 1000) }
  const now = deps.now()
  deps.counters.messages++
  deps.counters.bytes += body.length
  deps.presence.seen(login.machineId, address, now)
  const { machineId } = login
  const { uplink, adapter } = readTelemetry(body, login, now)
  pace.take(countValues(uplink.records))
  if (uplink.clockAt !== undefined) deps.clocks.of(machineId).see(uplink.clockAt, now)
  const message = { machineId, at: now, topic: plainTopic.telemetry, payload: body, adapter, uplink }
  const keepRaw = (outcome: RefusedTags | RecordsRefused | undefined) =>
    deps.rawLog.keep({ ...message, outcome })
  const problems = uplink.verdict === undefined ? [] : [uplink.detail ?? uplink.verdict]
  if (uplink.records.length === 0) {
    keepRaw(undefined)
    return { stored: 0, refused: problems }
  }
  try {
    const refused = await deps.telemetry.append(machineId, uplink.records)
    keepRaw(refused)
    return { stored: uplink.records.length - refused.length, refused: [...problems, ...refused] }
  } catch (error) {
    if (error instanceof TelemetryBusy) return { retryIn: busyRetryS }
    if (!(error instanceof RecordsRefused)) throw error
    keepRaw(error)
    return { stored: 0, refused: [...problems, error.message] }
  }
}
